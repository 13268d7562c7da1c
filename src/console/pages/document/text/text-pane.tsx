// The text of a document as agents read it, one section per page, slide or sheet.
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { DocumentView } from "../../../../tools/documents/contract.ts";
import type { SourceSpan } from "../../parts/markdown/marks.ts";
import { placeName } from "../../search/place.ts";
import { useI18n } from "../../state/language.ts";
import type { CitedPlace } from "../cited-place.ts";
import { keepInView } from "../keep-in-view.ts";
import { Outline } from "./outline.tsx";
import type { Section } from "./sections.ts";
import { SliceText } from "./slice-text.tsx";

interface TextPaneProps {
  readonly view: DocumentView;
  readonly sections: readonly Section[];
  readonly cited: CitedPlace | undefined;
  readonly query: string;
  readonly drawn: boolean;
  /** Shows a page of the original; undefined if the original cannot be shown. */
  readonly onPage: ((page: number) => void) | undefined;
}

export function TextPane({ view, sections, cited, query, drawn, onPage }: TextPaneProps) {
  const { t } = useI18n();
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    if (cited === undefined || pane.current === null) return;
    return keepInView(pane.current, "mark.cited");
  }, [cited]);
  const spans = useMemo(() => spansOf(view, cited, drawn), [view, cited, drawn]);
  return (
    <section
      ref={pane}
      class="viewer-scroll text"
      aria-label={t("asAgentReads")}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
      tabIndex={0}
    >
      {onPage === undefined && <Outline sections={sections} />}
      {sections.map((section) => (
        <SectionText key={section.start} {...{ section, view, cited, query, spans, onPage }} />
      ))}
    </section>
  );
}

function spansOf({ passages }: DocumentView, cited: CitedPlace | undefined, drawn: boolean) {
  const shades = passages.map(({ start, end }, at) => ({
    start,
    end,
    className: `passage shade-${at % 2}`,
  }));
  const mark = cited ? [{ ...cited, className: "cited" }] : [];
  return [...(drawn ? shades : []), ...mark];
}

interface SectionProps extends Pick<TextPaneProps, "view" | "cited" | "query" | "onPage"> {
  readonly section: Section;
  readonly spans: readonly SourceSpan[];
}

function SectionText({ section, onPage, ...shared }: SectionProps) {
  const { t } = useI18n();
  const { start, slices, place } = section;
  const name = placeName(place, t);
  const page = place.page ?? place.slide;
  // If a slide's picture is shown, its text is plain text beside it.
  const isSlide = place.slide !== undefined && onPage === undefined;
  return (
    <section
      id={`section-${start}`}
      class={isSlide ? "card page slide" : "card page"}
      aria-label={name || t("wholeDocument")}
    >
      {name && (
        <h2 class="page-name">
          {onPage && page !== undefined ? (
            <button type="button" class="link" onClick={() => onPage(page)}>
              {name}
            </button>
          ) : (
            name
          )}
        </h2>
      )}
      {slices.map((slice) => (
        <SliceText key={slice.start} slice={slice} {...shared} />
      ))}
    </section>
  );
}

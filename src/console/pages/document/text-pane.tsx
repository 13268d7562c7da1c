// The text of a document as agents read it, one section per page, slide or sheet.
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { DocumentView } from "../../../tools/documents/contract.ts";
import type { SourceSpan } from "../parts/markdown/engine.ts";
import { Markdown } from "../parts/markdown.tsx";
import { Button } from "../parts/parts.tsx";
import { placeName, type Span } from "../search/place.ts";
import { languageNow, t } from "../state/language.ts";
import { keepInView, LazyRender, ScrollArea } from "./scrolling.tsx";
import type { Section, Slice } from "./sections.ts";

interface TextPaneProps {
  readonly view: DocumentView;
  readonly sections: readonly Section[];
  readonly cited: Span | undefined;
  readonly query: string;
  readonly drawn: boolean;
  /** Shows a page of the original; undefined if the original cannot be shown. */
  readonly onPage: ((page: number) => void) | undefined;
}

export function TextPane({ view, sections, cited, query, drawn, onPage }: TextPaneProps) {
  const pane = useRef<HTMLElement>(null);
  useEffect(() => {
    if (cited === undefined || pane.current === null) return;
    return keepInView(pane.current, "mark.cited");
  }, [cited]);
  const spans = useMemo(
    () => [
      ...spansOf(view, cited, drawn),
      ...uncertainSpans(view, t("OCR is not sure of this word")),
    ],
    [view, cited, drawn, languageNow()],
  );
  return (
    <ScrollArea pane={pane} class="text" label={t("As an agent reads it")}>
      {onPage === undefined && <Outline sections={sections} />}
      {sections.map((section) => (
        <SectionText key={section.start} {...{ section, view, cited, query, spans, onPage }} />
      ))}
    </ScrollArea>
  );
}

function spansOf({ passages }: DocumentView, cited: Span | undefined, drawn: boolean) {
  const shades = passages.map(({ start, end }, at) => ({
    start,
    end,
    className: `passage shade-${at % 2}`,
  }));
  const mark = cited ? [{ ...cited, className: "cited" }] : [];
  return [...(drawn ? shades : []), ...mark];
}

function uncertainSpans({ uncertain }: DocumentView, title: string): readonly SourceSpan[] {
  return uncertain.map(([start, end]) => ({ start, end, className: "uncertain", title }));
}

/** Links to the sheets or slides of a document that has several. */
function Outline({ sections }: Pick<TextPaneProps, "sections">) {
  const named = sections.filter(({ place }) => placeName(place, t) !== "");
  if (named.length < 2) return null;
  return (
    <nav class="contents" aria-label={t("Parts of this document")}>
      {named.map(({ start, place }) => (
        <Button
          key={start}
          class="quiet"
          text={placeName(place, t)}
          onClick={() => document.getElementById(`section-${start}`)?.scrollIntoView()}
        />
      ))}
    </nav>
  );
}

interface SectionProps extends Pick<TextPaneProps, "view" | "cited" | "query" | "onPage"> {
  readonly section: Section;
  readonly spans: readonly SourceSpan[];
}

function SectionText({ section, onPage, ...shared }: SectionProps) {
  const { start, slices, place } = section;
  const name = placeName(place, t);
  const page = place.page ?? place.slide;
  // If a slide's picture is shown, its text is plain text beside it.
  const isSlide = place.slide !== undefined && onPage === undefined;
  return (
    <section
      id={`section-${start}`}
      class={isSlide ? "card page slide" : "card page"}
      aria-label={name || t("Whole document")}
    >
      {name && (
        <h2 class="page-name">
          {onPage && page !== undefined ? (
            <Button class="link" text={name} onClick={() => onPage(page)} />
          ) : (
            name
          )}
        </h2>
      )}
      {slices.map((slice) => (
        <SliceText key={slice.start} slice={slice} level={name ? 3 : 2} {...shared} />
      ))}
    </section>
  );
}

interface SliceProps extends Omit<SectionProps, "section" | "onPage"> {
  readonly slice: Slice;
  /** Of its highest heading. */
  readonly level: number;
}

// The length and height of a line of prose; an estimate is enough for the scroll bar.
const LINE_CHARACTERS = 70;
const LINE_HEIGHT = 26;

/** A piece of the text, rendered once it comes near. */
function SliceText(props: SliceProps) {
  const { cited, slice } = props;
  const { start, end } = slice;
  return (
    <LazyRender
      now={cited !== undefined && cited.start < end && cited.end > start}
      height={Math.ceil((end - start) / LINE_CHARACTERS) * LINE_HEIGHT}
    >
      {() => <SliceContent {...props} />}
    </LazyRender>
  );
}

function SliceContent({ slice, view, query, spans, level }: SliceProps) {
  const { start, end, head, tail } = slice;
  const { format, filename } = view.document;
  const own = useMemo(() => clip(spans, start, end), [spans, start, end]);
  return (
    <Markdown
      text={head + view.text.slice(start, end) + tail}
      offset={start - head.length}
      format={format}
      filename={filename}
      language={/\.(\w{1,12})$/.exec(filename)?.[1]?.toLowerCase() ?? ""}
      spans={own}
      query={query}
      level={level}
    />
  );
}

function clip(spans: readonly SourceSpan[], from: number, to: number): readonly SourceSpan[] {
  return spans
    .filter(({ start, end }) => start < to && end > from)
    .map((span) => ({
      ...span,
      start: Math.max(from, span.start),
      end: Math.min(to, span.end),
    }));
}

// The text of a document as agents read it, one section per page, slide or sheet.
import { useEffect, useMemo } from "preact/hooks";
import type { DocumentView } from "../../../tools/documents/contract.ts";
import type { SourceSpan } from "../parts/markdown/marks.ts";
import { Markdown } from "../parts/markdown.tsx";
import { placeName } from "../search/place.ts";
import { useSpeech } from "../state/language.ts";
import type { Cited } from "./cited.ts";
import { Near } from "./near.tsx";
import { type Section, type Slice, sectionsOf } from "./sections.ts";

interface TextPaneProps {
  readonly view: DocumentView;
  readonly cited: Cited | undefined;
  readonly query: string;
  readonly drawn: boolean;
}

export function TextPane({ view, cited, query, drawn }: TextPaneProps) {
  const sections = useMemo(() => sectionsOf(view), [view]);
  const spans = useMemo(() => spansOf(view, cited, drawn), [view, cited, drawn]);
  return (
    <>
      {sections.map((section) => (
        <SectionText key={section.start} {...{ section, view, cited, query, spans }} />
      ))}
    </>
  );
}

function spansOf({ passages }: DocumentView, cited: Cited | undefined, drawn: boolean) {
  const shades = passages.map(({ start, end }, at) => ({
    start,
    end,
    className: `passage shade-${at % 2}`,
  }));
  const mark = cited ? [{ ...cited, className: "cited" }] : [];
  return [...(drawn ? shades : []), ...mark];
}

interface SectionProps extends Pick<TextPaneProps, "view" | "cited" | "query"> {
  readonly section: Section;
  readonly spans: readonly SourceSpan[];
}

function SectionText({ section, ...shared }: SectionProps) {
  const { say } = useSpeech();
  const name = placeName(section.place, say);
  return (
    <section class="card page" aria-label={name || say("wholeDocument")} data-start={section.start}>
      {name && <h2 class="page-name">{name}</h2>}
      {section.slices.map((slice) => (
        <SliceText key={slice.start} slice={slice} {...shared} />
      ))}
    </section>
  );
}

// What a line of prose holds, and how high it is: an estimate is enough for the scroll bar.
const LINE_CHARACTERS = 70;
const LINE_HEIGHT = 26;

function SliceText({
  slice,
  ...shared
}: Omit<SectionProps, "section"> & { readonly slice: Slice }) {
  const { cited } = shared;
  const holdsCited = cited !== undefined && cited.start < slice.end && cited.end > slice.start;
  const lines = Math.ceil((slice.end - slice.start) / LINE_CHARACTERS);
  return (
    <Near now={holdsCited} height={lines * LINE_HEIGHT}>
      {() => <SliceContent slice={slice} {...shared} />}
    </Near>
  );
}

function SliceContent({ slice, view, cited, query, spans }: Parameters<typeof SliceText>[0]) {
  const { start, end, head, tail } = slice;
  const own = useMemo(
    () =>
      spans
        .filter((span) => span.start < end && span.end > start)
        .map((span) => ({
          ...span,
          start: Math.max(start, span.start),
          end: Math.min(end, span.end),
        })),
    [spans, start, end],
  );
  const opens = cited !== undefined && cited.start >= start && cited.start < end;
  useScrollToCited(opens ? `${cited.start}-${cited.end}` : undefined);
  return (
    <Markdown
      text={head + view.text.slice(start, end) + tail}
      offset={start - head.length}
      format={view.document.format}
      language={languageOf(view.document.filename)}
      spans={own}
      query={query}
    />
  );
}

/** Rendered a moment later than this, so it is looked for until it is there. */
function useScrollToCited(key: string | undefined): void {
  useEffect(() => {
    if (key === undefined) return;
    const scroll = () => {
      const mark = document.querySelector("mark.cited");
      mark?.scrollIntoView({ block: "center" });
      return mark !== null;
    };
    if (scroll()) return;
    const observer = new MutationObserver(() => {
      if (scroll()) observer.disconnect();
    });
    observer.observe(document.body, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [key]);
}

function languageOf(filename: string): string {
  return /\.(\w{1,12})$/.exec(filename)?.[1]?.toLowerCase() ?? "";
}

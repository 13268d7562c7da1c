// A piece of a document's text, rendered once it comes near.
import { useMemo } from "preact/hooks";
import type { DocumentView } from "../../../../tools/documents/contract.ts";
import type { SourceSpan } from "../../parts/markdown/marks.ts";
import { Markdown } from "../../parts/markdown.tsx";
import type { CitedPlace } from "../cited-place.ts";
import { LazyRender } from "../lazy-render.tsx";
import type { Slice } from "./sections.ts";

interface SliceProps {
  readonly slice: Slice;
  readonly view: DocumentView;
  readonly cited: CitedPlace | undefined;
  readonly query: string;
  readonly spans: readonly SourceSpan[];
}

// The length and height of a line of prose; an estimate is enough for the scroll bar.
const LINE_CHARACTERS = 70;
const LINE_HEIGHT = 26;

export function SliceText({ slice, ...shared }: SliceProps) {
  const { cited } = shared;
  const holdsCited = cited !== undefined && cited.start < slice.end && cited.end > slice.start;
  const lines = Math.ceil((slice.end - slice.start) / LINE_CHARACTERS);
  return (
    <LazyRender now={holdsCited} height={lines * LINE_HEIGHT}>
      {() => <SliceContent slice={slice} {...shared} />}
    </LazyRender>
  );
}

function SliceContent({ slice, view, query, spans }: SliceProps) {
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

function languageOf(filename: string): string {
  return /\.(\w{1,12})$/.exec(filename)?.[1]?.toLowerCase() ?? "";
}

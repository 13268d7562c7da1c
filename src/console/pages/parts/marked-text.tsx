// Plain text with a query's words and given spans marked.
import { type Highlighter, toHighlighter } from "../../../text/highlights.ts";
import type { SourceSpan } from "./markdown/engine.ts";

// A page marks the same query in many texts.
const last: { query: string; find: Highlighter } = { query: "", find: () => [] };

export function highlighterOf(query: string): Highlighter {
  if (query !== last.query) Object.assign(last, { query, find: toHighlighter(query) });
  return last.find;
}

interface MarkedTextProps {
  readonly text: string;
  readonly query: string;
  readonly spans?: readonly SourceSpan[] | undefined;
  /** Where the text begins in the document that the spans refer to. */
  readonly offset?: number | undefined;
}

export function MarkedText({ text, query, spans = [], offset = 0 }: MarkedTextProps) {
  const marks = [
    ...highlighterOf(query)(text).map((mark) => ({ ...mark, className: "" })),
    ...spans.map((span) => ({ ...span, start: span.start - offset, end: span.end - offset })),
  ];
  const points = new Set([0, text.length]);
  for (const { start, end } of marks) points.add(start).add(end);
  const edges = [...points].filter((at) => at >= 0 && at <= text.length).sort((a, b) => a - b);
  return (
    <>
      {edges.slice(0, -1).map((from, at) => {
        const to = edges[at + 1] ?? text.length;
        const over = marks.filter(({ start, end }) => start <= from && end >= to);
        const names = over
          .map(({ className }) => className)
          .join(" ")
          .trim();
        const piece = text.slice(from, to);
        return over.length === 0 ? (
          piece
        ) : (
          <mark key={from} class={names || undefined}>
            {piece}
          </mark>
        );
      })}
    </>
  );
}

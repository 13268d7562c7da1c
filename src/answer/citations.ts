// A citation of a local document: the chunk verbatim, its place, and which of its words the answer uses.
import { defined } from "../domain/defined.ts";
import type { Passage } from "../domain/passage.ts";
import type { Citation } from "./answer.ts";
import { dateOf } from "./differ.ts";

/** Offsets into a passage's text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The table cells an answer uses. */
export interface TableCells {
  readonly header: readonly string[];
  /** The table's number in the document, counted from 1; absent for sheets. */
  readonly number?: number;
  /** Addresses: "D4" in a sheet, "R4C4" in any other table. */
  readonly cells?: readonly string[];
}

/** A statement and the part of one passage that supports it. */
export interface Claim {
  readonly text: string;
  readonly passage: Passage;
  readonly spans: readonly Span[];
  /** The statement is a row or list item, which is complete without its neighbours. */
  readonly ownLine?: boolean;
  /** The words of the passage that answer. */
  readonly likely?: Span;
  /** The header and the cells used, if the statement comes from a table. */
  readonly table?: TableCells;
}

export interface Cited {
  readonly answer: string;
  readonly citations: readonly Citation[];
}

/** What a citation points at inside its text. */
interface Marks {
  readonly table?: TableCells;
  likely?: Span | undefined;
}

/** Numbers the passages by first use. Consecutive statements from one passage share a marker. */
export function cite(claims: readonly Claim[]): Cited {
  const used = new Map<string, { passage: Passage; spans: Span[] } & Marks>();
  for (const { passage, spans, table, likely } of claims) {
    const marks = { ...(table && { table }), ...(likely && { likely }) };
    const entry = used.get(passage.chunkId) ?? { passage, spans: [], ...marks };
    entry.spans.push(...spans);
    entry.likely ??= likely;
    used.set(passage.chunkId, entry);
  }
  const numbers = new Map([...used.keys()].map((id, at) => [id, at + 1]));
  const parts = claims.map(({ text, passage }, at) => {
    const last = claims[at + 1]?.passage.chunkId !== passage.chunkId;
    // After a code fence the marker needs a new line, or it would become part of the code.
    const glue = /(?:```|~~~)\s*$/.test(text) ? "\n" : " ";
    return last ? `${text.trimEnd()}${glue}[${numbers.get(passage.chunkId)}]`.trimStart() : text;
  });
  const separate = (part: string, at: number) =>
    at === 0 ? part : separator(claims[at - 1], claims[at], parts[at - 1] ?? "") + part;
  return {
    answer: parts.map(separate).join(""),
    citations: [...used.values()].map(({ passage, spans, ...marks }) =>
      toCitation(passage, spans, marks),
    ),
  };
}

function separator(before: Claim | undefined, after: Claim | undefined, written: string): string {
  // Rows from other chunks have no text, only a marker.
  if (after?.text === "") return "";
  if (before?.ownLine || after?.ownLine) return "\n";
  // Japanese has no space between sentences.
  return /[。！？」』）]$/u.test(written) ? "" : " ";
}

/**
 * `start` and `end` count characters (UTF-16 units) of the document's extracted text, as do those
 * of `quotes` and `span`.
 */
export function toCitation(
  passage: Passage,
  spans: readonly Span[],
  { table, likely }: Marks = {},
): Citation {
  const { place, until } = passage;
  const { start: from } = passage;
  const inDocument = ({ start, end }: Span) => ({ start: from + start, end: from + end });
  return {
    content: passage.text,
    location: {
      type: "DOCUMENT",
      document_id: passage.documentId,
      filename: passage.filename,
      format: passage.format,
      ...defined({ title: passage.title, superseded_by: passage.supersededBy }),
      date: dateOf(passage),
      strength: passage.strength,
      ...place,
      ...defined({ until_page: until?.page, until_slide: until?.slide, until_sheet: until?.sheet }),
      ...(passage.headings.length > 0 && { headings: passage.headings }),
      chunk_id: passage.chunkId,
      start: passage.start,
      end: passage.end,
      ...(table && { table }),
      quotes: merge(spans).map(inDocument),
      ...(likely && { span: inDocument(likely) }),
    },
    score: passage.score,
    ...(Object.keys(passage.metadata).length > 0 && { metadata: passage.metadata }),
  };
}

function merge(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && span.start <= last.end + 1)
      merged.splice(-1, 1, { start: last.start, end: Math.max(last.end, span.end) });
    else merged.push(span);
  }
  return merged;
}

/**
 * Finds `quote` in `text`, ignoring what models tend to change: white space, full and half width, quotation marks and
 * dashes, case. Undefined if it is not there.
 */
export function findQuote(text: string, quote: string): Span | undefined {
  const plain = fold(quote).folded;
  if (plain === "") return undefined;
  const { folded, starts, ends } = fold(text);
  const at = folded.indexOf(plain);
  const start = starts[at];
  const end = ends[at + plain.length - 1];
  return at < 0 || start === undefined || end === undefined ? undefined : { start, end };
}

/** The normalised text, with the original position of each character. */
function fold(text: string) {
  let folded = "";
  const starts: number[] = [];
  const ends: number[] = [];
  for (let at = 0; at < text.length; ) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const end = at + character.length;
    for (const unit of foldCharacter(character)) {
      folded += unit;
      for (let each = 0; each < unit.length; each++) {
        starts.push(at);
        ends.push(end);
      }
    }
    at = end;
  }
  return { folded, starts, ends };
}

function foldCharacter(character: string): string {
  const plain = character.normalize("NFKC").toLowerCase();
  return plain
    .replace(/[\s\p{Cf}]/gu, "")
    .replace(/["'`´‘’‚“”„«»]/gu, "'")
    .replace(/[‐‑‒–—―−]/gu, "-");
}

// Selects the part of a document's text to read: a page, a section, the text around a chunk, or from an offset on.
import type { Block, ExtractedDocument, Place } from "../../domain/document.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

type Text = Pick<ExtractedDocument, "text" | "blocks">;

/** A page or slide by its number, a sheet by its name; undefined where there is none. */
export function pageSpan({ text, blocks }: Text, page: string): Span | undefined {
  const found = blocks.filter(({ place }) => isPage(place, page));
  const [first] = found;
  const last = found.at(-1);
  if (first !== undefined && last !== undefined) return { start: first.start, end: last.end };
  const isPaged = blocks.some(({ place }) => Object.keys(place).length > 0);
  // A document without pages counts as one page.
  return page === "1" && !isPaged ? { start: 0, end: text.length } : undefined;
}

export function isPage({ page, slide, sheet }: Place, wanted: string): boolean {
  return String(page ?? slide ?? "") === wanted || sheet === wanted;
}

/** From the heading to the next one of its level or above. */
export function sectionSpan({ text, blocks }: Text, heading: string): Span | undefined {
  const headings = blocks.filter(({ kind }) => kind === "heading");
  const wanted = folded(heading);
  const named = (block: Block) => folded(headingText(text, block));
  const found =
    headings.find((block) => named(block) === wanted) ??
    headings.find((block) => named(block).includes(wanted));
  if (found === undefined || wanted === "") return undefined;
  const next = headings.find(
    (block) => block.start > found.start && (block.level ?? 1) <= (found.level ?? 1),
  );
  return { start: found.start, end: next?.start ?? text.length };
}

export function headingsOf({ text, blocks }: Text): readonly string[] {
  return blocks.filter(({ kind }) => kind === "heading").map((block) => headingText(text, block));
}

/** As much of `part` as fits, from its start, cut where a block, a line or a word ends. */
export function cutToFit({ text, blocks }: Text, part: Span, maxCharacters: number): Span {
  if (part.end - part.start <= maxCharacters) return part;
  const most = part.start + maxCharacters;
  const least = part.start + maxCharacters / 2;
  const block = blocks.findLast(({ end }) => end <= most && end > least);
  const end = block?.end ?? lastBreak(text, least, most);
  return { start: part.start, end };
}

/** `inner` with as much as fits before and after it, beginning and ending at blocks. */
export function widenTo({ text, blocks }: Text, inner: Span, maxCharacters: number): Span {
  const room = maxCharacters - (inner.end - inner.start);
  if (room <= 0) return cutToFit({ text, blocks }, inner, maxCharacters);
  const from = Math.max(0, inner.start - Math.floor(room / 2));
  const to = Math.min(text.length, from + maxCharacters);
  const first = blocks.find(({ start }) => start >= from && start <= inner.start);
  const last = blocks.findLast(({ end }) => end <= to && end >= inner.end);
  return { start: first?.start ?? inner.start, end: last?.end ?? inner.end };
}

function lastBreak(text: string, least: number, most: number): number {
  const line = text.lastIndexOf("\n", most);
  if (line > least) return line;
  const space = text.lastIndexOf(" ", most);
  return space > least ? space : most - Number(isSplit(text, most));
}

/** Never between the halves of a character. */
function isSplit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff;
}

function headingText(text: string, { start, end }: Block): string {
  return text
    .slice(start, end)
    .replace(/^#{1,6}\s+/, "")
    .replace(/\n[=-]+\s*$/, "")
    .trim();
}

function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();
}

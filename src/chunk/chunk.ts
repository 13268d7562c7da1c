// Blocks → chunks: structure first, sentences second. Pure; every chunk is an exact slice of its document.
import type { Block, Chunk, ExtractedDocument, Place } from "../domain/document.ts";
import { columns, lines, portions, type Span, splitProse } from "./split.ts";

export { nameText, searchText } from "./search-text.ts";

export interface ChunkOptions {
  /** In columns: full-width characters (Chinese, Japanese, Korean) count two, because they say about twice as much. */
  readonly size: number;
}

export const DEFAULT_CHUNKS: ChunkOptions = { size: 500 };

// A table row is not cut unless it is longer than this many chunks.
const MAX_ROW_LENGTH = 8;
// A table's header is repeated in its later chunks unless it is longer than this many chunks.
const MAX_HEADER_LENGTH = 4;

// Headings are repeated with every chunk below them, so a whole page marked as a heading is cut.
const MAX_HEADING = 500;

/** A document's vectors depend on this: a change makes stored chunks stale. */
export function chunkFingerprint({ size }: ChunkOptions): string {
  return `chunk-1:${size}-columns`;
}

/** A piece that is not cut further. */
interface Atom extends Span {
  readonly block: Block;
  readonly headings: readonly string[];
  readonly tableHeader?: string;
}

type Chunkable = Pick<ExtractedDocument, "text" | "blocks">;

export function chunk(
  document: Chunkable,
  options: ChunkOptions = DEFAULT_CHUNKS,
): readonly Chunk[] {
  return [...chunks(document, options)];
}

/** Yields chunks one by one: a whole book takes a second, which callers can spread out. */
export function* chunks(document: Chunkable, options: ChunkOptions): Generator<Chunk> {
  const packing = {
    text: document.text,
    size: options.size,
    open: [],
    used: 0,
    count: 0,
  };
  const path: { level: number; text: string }[] = [];
  for (const block of withTextBetween(document)) {
    if (block.kind === "heading") {
      const level = block.level ?? 1;
      while ((path.at(-1)?.level ?? 0) >= level) path.pop();
      path.push({ level, text: headingText(document.text, block) });
    }
    yield* pack(
      packing,
      block,
      path.map((entry) => entry.text),
    );
  }
  yield* flush(packing);
}

/** The chunk that is being filled. */
interface Packing {
  readonly text: string;
  readonly size: number;
  open: Atom[];
  used: number;
  /** The number of chunks before this one. */
  count: number;
}

function* pack(packing: Packing, block: Block, headings: readonly string[]): Generator<Chunk> {
  if (packing.open.length > 0 && breaksBefore(block, packing)) yield* flush(packing);
  if (block.kind === "table") return yield* packTable(packing, block, headings);
  for (const part of portions(packing.text, block)) {
    yield* packProse(packing, { ...part, block, headings });
  }
}

function* packTable(packing: Packing, block: Block, headings: readonly string[]): Generator<Chunk> {
  const { text, size } = packing;
  const headerEnd = Math.min(block.headerEnd ?? block.start, block.end);
  const whole = text.slice(block.start, headerEnd).trimEnd();
  // The repeated headers of a very wide table would be far longer than all its rows.
  const header = columns(whole, 0, whole.length) <= size * MAX_HEADER_LENGTH ? whole : "";
  const headerSize = columns(header, 0, header.length);
  for (const row of rowSpans(text, block, headerEnd, size)) {
    const continued = packing.open[0]?.tableHeader === undefined ? 0 : headerSize;
    // If the header filled the chunk, each chunk would have one row, so half of it is reserved for rows.
    const room = Math.max(size - continued, size / 2);
    const isFull = packing.open.length > 0 && packing.used + costOf(packing, row) > room;
    if (isFull && !onlyHeadings(packing.open)) yield* flush(packing);
    const repeats = packing.open.length === 0 && row.start !== block.start && header !== "";
    push(packing, { ...row, block, headings, ...(repeats ? { tableHeader: header } : {}) });
  }
}

function* packProse(packing: Packing, atom: Atom): Generator<Chunk> {
  const { text, size } = packing;
  const fits = () => packing.used + costOf(packing, atom) <= size;
  const worthFilling = columns(text, atom.start, atom.end) > size && packing.used < size / 3;
  if (!fits() && !worthFilling && !onlyHeadings(packing.open)) yield* flush(packing);
  if (fits()) return push(packing, atom);
  const first = Math.max(size - packing.used, size / 4);
  for (const part of splitProse(text, atom, { size, first })) {
    const isFull = packing.open.length > 0 && packing.used + costOf(packing, part) > size;
    if (isFull) yield* flush(packing);
    push(packing, { ...atom, ...part });
  }
}

/** Returns the open chunk, if it is not empty. */
function flush(packing: Packing): readonly Chunk[] {
  const made = toChunk(packing.text, packing.open, packing.count);
  packing.open = [];
  packing.used = 0;
  if (made === undefined) return [];
  packing.count += 1;
  return [made];
}

function push(packing: Packing, atom: Atom): void {
  packing.used += costOf(packing, atom);
  packing.open.push(atom);
}

/** The size that a piece adds to the open chunk, including the space before it. */
function costOf({ text, open }: Packing, { start, end }: Span): number {
  return columns(text, open.at(-1)?.end ?? start, end);
}

function onlyHeadings(open: readonly Atom[]): boolean {
  return open.every((atom) => atom.block.kind === "heading");
}

/**
 * A new page, slide or sheet starts a chunk; so does a new section, if the open chunk already has
 * some text.
 */
function breaksBefore(block: Block, { open, used, size }: Packing): boolean {
  const last = open.at(-1);
  if (last === undefined) return false;
  if (onlyHeadings(open)) {
    // A heading alone at the end of a page stays with the text below it, but not across slides or sheets.
    return (
      last.block.place.slide !== block.place.slide || last.block.place.sheet !== block.place.sheet
    );
  }
  if (!samePlace(last.block.place, block.place)) return true;
  if (block.kind !== "heading") return false;
  const own = open.find((atom) => atom.block.kind === "heading")?.block.level;
  return used >= size / 4 || (block.level ?? 1) < (own ?? 1);
}

/** The first row's span includes the table's header, so the two are never separated. */
function* rowSpans(text: string, block: Block, headerEnd: number, size: number): Generator<Span> {
  let { start } = block;
  const parts = (row: Span) =>
    columns(text, row.start, row.end) <= size * MAX_ROW_LENGTH
      ? [row]
      : splitProse(text, row, { size, first: size });
  for (const { end } of lines(text, { start: headerEnd, end: block.end })) {
    yield* parts({ start, end });
    start = end;
  }
  if (start === block.start) yield* parts({ start, end: block.end });
}

function toChunk(text: string, atoms: readonly Atom[], ordinal: number): Chunk | undefined {
  const first = atoms[0];
  const last = atoms.at(-1);
  if (first === undefined || last === undefined) return undefined;
  const whole = text.slice(first.start, last.end);
  const body = whole.trim();
  if (body === "") return undefined;
  const start = first.start + whole.length - whole.trimStart().length;
  const main = atoms.find((atom) => atom.block.kind !== "heading") ?? last;
  return {
    ordinal,
    start,
    end: start + body.length,
    text: body,
    place: first.block.place,
    ...(samePlace(first.block.place, last.block.place) ? {} : { until: last.block.place }),
    headings: main.headings,
    ...(first.tableHeader === undefined ? {} : { tableHeader: first.tableHeader }),
  };
}

/** Yields the blocks, and the text between them as paragraphs, so that no text is left out. */
function* withTextBetween({ text, blocks }: Chunkable): Generator<Block> {
  let at = 0;
  let place: Place = blocks[0]?.place ?? {};
  for (const block of blocks) {
    if (text.slice(at, block.start).trim() !== "") {
      yield { kind: "paragraph", start: at, end: block.start, place };
    }
    yield block;
    at = Math.max(at, block.end);
    place = block.place;
  }
  if (text.slice(at).trim() !== "") yield { kind: "paragraph", start: at, end: text.length, place };
}

function headingText(text: string, block: Block): string {
  return text
    .slice(block.start, block.end)
    .replace(/^#+\s*/, "")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, MAX_HEADING)
    .toWellFormed();
}

function samePlace(a: Place, b: Place): boolean {
  return a.page === b.page && a.slide === b.slide && a.sheet === b.sheet;
}

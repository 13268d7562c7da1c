// Blocks → chunks: structure first, sentences second. Pure; every chunk is an exact slice of its document.
import type { Block, Chunk, ExtractedDocument, Place } from "../domain/document.ts";
import { type ChunkUnit, type Measure, measureIn } from "./measure.ts";
import { lines, portions, type Span, splitProse } from "./split.ts";

export type { ChunkUnit } from "./measure.ts";
export { nameText, searchText } from "./search-text.ts";

export interface ChunkOptions {
  readonly size: number;
  readonly unit: ChunkUnit;
}

export const DEFAULT_CHUNKS: ChunkOptions = { size: 500, unit: "columns" };

// A row of a table is never cut, unless it alone is worth this many chunks.
const LONGEST_ROW = 8;

/** Part of what a document's vectors depend on: a change here makes stored chunks stale. */
export function chunkFingerprint({ size, unit }: ChunkOptions): string {
  return `chunk-1:${size}-${unit}`;
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

/** One after the other: a book's worth takes a second, which nobody has to spend in one go. */
export function* chunks(document: Chunkable, options: ChunkOptions): Generator<Chunk> {
  const packer = openPacker(document.text, options);
  const path: { level: number; text: string }[] = [];
  for (const block of filled(document)) {
    if (block.kind === "heading") {
      const level = block.level ?? 1;
      while ((path.at(-1)?.level ?? 0) >= level) path.pop();
      path.push({ level, text: headingText(document.text, block) });
    }
    yield* packer.add(
      block,
      path.map((entry) => entry.text),
    );
  }
  yield* packer.flush();
}

function openPacker(text: string, { size, unit }: ChunkOptions) {
  const measure = measureIn(unit);
  let open: Atom[] = [];
  let used = 0;
  let count = 0;

  /** The open chunk, if there is anything in it. */
  const flush = (): readonly Chunk[] => {
    const made = toChunk(text, open, count);
    open = [];
    used = 0;
    if (made === undefined) return [];
    count += 1;
    return [made];
  };
  /** What a piece adds to the open chunk, the space before it included. */
  const costOf = ({ start, end }: Span) => measure(text, open.at(-1)?.end ?? start, end);
  const push = (atom: Atom) => {
    used += costOf(atom);
    open.push(atom);
  };
  const onlyHeadings = () => open.every((atom) => atom.block.kind === "heading");

  function* addTable(block: Block, headings: readonly string[]): Generator<Chunk> {
    const headerEnd = Math.min(block.headerEnd ?? block.start, block.end);
    const header = text.slice(block.start, headerEnd).trimEnd();
    const carried = measure(header, 0, header.length);
    for (const row of rows(text, block, headerEnd, { size, measure })) {
      const continued = open[0]?.tableHeader === undefined ? 0 : carried;
      // A header that fills the chunk by itself would leave one row a chunk: half is for rows.
      const room = Math.max(size - continued, size / 2);
      if (open.length > 0 && used + costOf(row) > room && !onlyHeadings()) yield* flush();
      const first = row.start === block.start;
      const repeats = open.length === 0 && !first && header !== "";
      push({ ...row, block, headings, ...(repeats ? { tableHeader: header } : {}) });
    }
  }

  function* addProse(span: Span, block: Block, headings: readonly string[]): Generator<Chunk> {
    const { start, end } = span;
    const fits = used + costOf(span) <= size;
    const worthFilling = measure(text, start, end) > size && used < size / 3;
    if (!fits && !worthFilling && !onlyHeadings()) yield* flush();
    if (used + costOf(span) <= size) return push({ start, end, block, headings });
    const first = Math.max(size - used, size / 4);
    for (const part of splitProse(text, span, { size, first, measure })) {
      if (open.length > 0 && used + costOf(part) > size) yield* flush();
      push({ ...part, block, headings });
    }
  }

  return {
    *add(block: Block, headings: readonly string[]): Generator<Chunk> {
      if (open.length > 0 && breaksBefore(block, open, used, size)) yield* flush();
      if (block.kind === "table") return yield* addTable(block, headings);
      for (const part of portions(text, block)) yield* addProse(part, block, headings);
    },
    flush,
  };
}

/** A new page, slide or sheet starts a chunk, and so does a section once there is something to part from. */
function breaksBefore(block: Block, open: readonly Atom[], used: number, size: number): boolean {
  const last = open.at(-1);
  if (last === undefined) return false;
  if (open.every((atom) => atom.block.kind === "heading")) {
    // A heading left alone at a page's end goes with what it heads, but not into another slide or sheet.
    return (
      last.block.place.slide !== block.place.slide || last.block.place.sheet !== block.place.sheet
    );
  }
  if (!samePlace(last.block.place, block.place)) return true;
  if (block.kind !== "heading") return false;
  const own = open.find((atom) => atom.block.kind === "heading")?.block.level;
  return used >= size / 4 || (block.level ?? 1) < (own ?? 1);
}

/** The first one holds the header, which is never parted from it. */
function* rows(
  text: string,
  block: Block,
  headerEnd: number,
  { size, measure }: { size: number; measure: Measure },
): Generator<Span> {
  let { start } = block;
  for (const { end } of lines(text, { start: headerEnd, end: block.end })) {
    const row = { start, end };
    if (measure(text, start, end) <= size * LONGEST_ROW) yield row;
    else yield* splitProse(text, row, { size, first: size, measure });
    start = end;
  }
  if (start === block.start) yield { start, end: block.end };
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

/** The blocks, with the text between them as paragraphs: nothing that is text is left out. */
function* filled({ text, blocks }: Chunkable): Generator<Block> {
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
    .trim();
}

function samePlace(a: Place, b: Place): boolean {
  return a.page === b.page && a.slide === b.slide && a.sheet === b.sheet;
}

// A block that is larger than a chunk → spans that are not, cut at the best places there are.
import { isWide } from "../text/scripts.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface SplitLimits {
  readonly size: number;
  /** The size of the first span; smaller if it joins text that is already in its chunk. */
  readonly first: number;
}

/** How wide the text is; a full-width character takes two. */
export function columns(text: string, start: number, end: number): number {
  let size = end - start;
  for (let at = start; at < end; at += 1) if (isWide(text.charCodeAt(at))) size += 1;
  return size;
}

type Cutter = (text: string, span: Span) => readonly Span[];

/** Cuts at lines; if a line is too long, at sentences, then at words, then between characters. */
export function splitProse(text: string, span: Span, limits: SplitLimits): readonly Span[] {
  return pack(text, span, limits, [atLines, atSentences, atWords]);
}

export function* lines(text: string, { start, end }: Span): Generator<Span> {
  let from = start;
  while (from < end) {
    const newline = text.indexOf("\n", from);
    const to = newline === -1 || newline >= end ? end : newline + 1;
    yield { start: from, end: to };
    from = to;
  }
}

const PORTION = 65_536;
const PORTION_ENDS = ["\n", ". ", "。", " "];

/** A file may be a single block of megabytes, so it is cut in portions. */
export function* portions(text: string, { start, end }: Span): Generator<Span> {
  let from = start;
  while (end - from > PORTION) {
    const to = portionEnd(text, from);
    yield { start: from, end: to };
    from = to;
  }
  yield { start: from, end };
}

function portionEnd(text: string, from: number): number {
  const half = from + PORTION / 2;
  const second = text.slice(half, from + PORTION);
  for (const mark of PORTION_ENDS) {
    const at = second.lastIndexOf(mark);
    if (at !== -1) return half + at + mark.length;
  }
  return boundary(text, from + PORTION);
}

function pack(
  text: string,
  span: Span,
  limits: SplitLimits,
  cutters: readonly Cutter[],
): readonly Span[] {
  const [cut, ...finer] = cutters;
  const parts = cut === undefined ? atCharacters(text, span, limits) : cut(text, span);
  if (parts.length <= 1 && cut !== undefined) return pack(text, span, limits, finer);
  const even = evenSize(columns(text, span.start, span.end), limits);
  const packing: Packing = { packed: [], open: undefined, used: 0 };
  for (const part of parts) {
    const cost = columns(text, part.start, part.end);
    if (packing.used + cost <= roomIn(packing, even, limits)) {
      packing.open = { start: packing.open?.start ?? part.start, end: part.end };
      packing.used += cost;
      continue;
    }
    close(packing, part, cost);
    if (cost <= limits.size || cut === undefined) continue;
    const first = packing.packed.length === 0 ? limits.first : limits.size;
    packPieces(packing, pack(text, part, { ...limits, first }, finer), (piece) =>
      columns(text, piece.start, piece.end),
    );
  }
  return packing.open === undefined ? packing.packed : [...packing.packed, packing.open];
}

interface Packing {
  readonly packed: Span[];
  /** The span that the next part may still join, and how much of its room is used. */
  open: Span | undefined;
  used: number;
}

function roomIn({ packed }: Packing, even: number, { first }: SplitLimits): number {
  return packed.length === 0 ? Math.min(first, even) : even;
}

function close(packing: Packing, next: Span | undefined, used: number): void {
  if (packing.open !== undefined) packing.packed.push(packing.open);
  packing.open = next;
  packing.used = used;
}

/** Adds the pieces of a part that was too large; the last one stays open. */
function packPieces(
  packing: Packing,
  pieces: readonly Span[],
  sizeOf: (piece: Span) => number,
): void {
  const last = pieces.at(-1);
  for (const piece of pieces.slice(0, -1)) packing.packed.push(piece);
  packing.open = last;
  packing.used = last === undefined ? 0 : sizeOf(last);
}

// Filling each span completely would leave a tiny one at the end; a tenth above the average does not.
function evenSize(total: number, { size }: SplitLimits): number {
  const count = Math.max(1, Math.ceil(total / size));
  return Math.min(size, Math.ceil((total / count) * 1.1));
}

function atLines(text: string, span: Span): readonly Span[] {
  return [...lines(text, span)];
}

function atSentences(text: string, span: Span): readonly Span[] {
  return cutAfter(text, span, /[.!?…]["'”’)\]]*\s+|[。！？．]["'”’」』）)\]]*\s*/g);
}

function atWords(text: string, span: Span): readonly Span[] {
  return cutAfter(text, span, /\s+|[、，；：,;]\s*/g);
}

function cutAfter(text: string, { start, end }: Span, mark: RegExp): readonly Span[] {
  const spans: Span[] = [];
  let from = start;
  for (const found of text.slice(start, end).matchAll(mark)) {
    const to = start + found.index + found[0].length;
    if (to >= end) break;
    spans.push({ start: from, end: to });
    from = to;
  }
  spans.push({ start: from, end });
  return spans;
}

/** Last resort: cuts between characters, but never inside a surrogate pair or before a combining mark. */
function atCharacters(text: string, { start, end }: Span, limits: SplitLimits): readonly Span[] {
  const spans: Span[] = [];
  const step = Math.max(1, Math.floor(limits.size / 8));
  let from = start;
  while (from < end) {
    const to = from + step >= end ? end : Math.min(end, boundary(text, from + step));
    spans.push({ start: from, end: to });
    from = to;
  }
  return spans;
}

/** Moves the position forward to the next allowed boundary. */
function boundary(text: string, at: number): number {
  let to = at;
  while (to < text.length && !isBoundary(text, to)) to += 1;
  return to;
}

function isBoundary(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code >= 0xdc00 && code <= 0xdfff) return false;
  return code < 0x300 || !/\p{M}/u.test(String.fromCharCode(code));
}

// A block that is larger than a chunk → spans that are not, cut at the best places there are.
import type { Measure } from "./measure.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface SplitLimits {
  readonly size: number;
  /** What the first span may hold: less, where it joins text that is already in its chunk. */
  readonly first: number;
  readonly measure: Measure;
}

type Cutter = (text: string, span: Span) => readonly Span[];

/** Cuts at lines, where a line is too long at sentences, then at words, then between characters. */
export function splitProse(text: string, span: Span, limits: SplitLimits): readonly Span[] {
  return pack(text, span, limits, [atLines, atSentences, atWords]);
}

/** Code and lists: lines belong together, so nothing finer is tried while a line fits. */
export function lines(text: string, span: Span): readonly Span[] {
  return atLines(text, span);
}

function pack(
  text: string,
  span: Span,
  limits: SplitLimits,
  cutters: readonly Cutter[],
): readonly Span[] {
  const { measure } = limits;
  const [cut, ...finer] = cutters;
  const parts = cut === undefined ? atCharacters(text, span, limits) : cut(text, span);
  if (parts.length <= 1 && cut !== undefined) return pack(text, span, limits, finer);
  const even = evenSize(measure(text, span.start, span.end), limits);
  const packed: Span[] = [];
  let open: Span | undefined;
  let used = 0;
  for (const part of parts) {
    const cost = measure(text, part.start, part.end);
    const room = packed.length === 0 ? Math.min(limits.first, even) : even;
    if (used + cost <= room) {
      open = { start: open?.start ?? part.start, end: part.end };
      used += cost;
      continue;
    }
    if (open !== undefined) packed.push(open);
    open = part;
    used = cost;
    if (cost <= limits.size || cut === undefined) continue;
    const first = packed.length === 0 ? limits.first : limits.size;
    const pieces = pack(text, part, { ...limits, first }, finer);
    for (const piece of pieces.slice(0, -1)) packed.push(piece);
    open = pieces.at(-1);
    used = open === undefined ? 0 : measure(text, open.start, open.end);
  }
  if (open !== undefined) packed.push(open);
  return packed;
}

// Filling each span to the brim leaves a stump at the end; a tenth above the even share does not.
function evenSize(total: number, { size }: SplitLimits): number {
  const count = Math.max(1, Math.ceil(total / size));
  return Math.min(size, Math.ceil((total / count) * 1.1));
}

function atLines(text: string, { start, end }: Span): readonly Span[] {
  const spans: Span[] = [];
  let from = start;
  while (from < end) {
    const newline = text.indexOf("\n", from);
    const to = newline === -1 || newline >= end ? end : newline + 1;
    spans.push({ start: from, end: to });
    from = to;
  }
  return spans;
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

/** The last resort: runs of characters, never inside a surrogate pair or before a combining mark. */
function atCharacters(text: string, { start, end }: Span, limits: SplitLimits): readonly Span[] {
  const spans: Span[] = [];
  const step = Math.max(1, Math.floor(limits.size / 8));
  let from = start;
  while (from < end) {
    let to = Math.min(end, from + step);
    while (to < end && !isBoundary(text, to)) to += 1;
    spans.push({ start: from, end: to });
    from = to;
  }
  return spans;
}

function isBoundary(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code >= 0xdc00 && code <= 0xdfff) return false;
  return code < 0x300 || !/\p{M}/u.test(String.fromCharCode(code));
}

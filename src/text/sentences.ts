// Text → sentences with their spans; a table's row and a list's item count as one each.
import { segmenter } from "./segmenters.ts";

export interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** `head`: the row over a table's rule; `code`: a fenced block, fences included. */
  readonly kind: "prose" | "row" | "head" | "heading" | "code";
}

const ABBREVIATION =
  /(?:^|[\s("“])(?:[A-Z]|Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|etc|No|Fig|Gen|Col|Lt|Sgt|Capt|Rev|Hon|approx|ca|cf|al|Inc|Ltd|Co|Corp|e\.g|i\.e|(?:[A-Z]\.)+[A-Z])\.$/;
const ROW = /^\s*\|/;
const RULE = /^\|?\s*:?-{2,}/;
const HEADING = /^\s{0,3}#{1,6}\s/;
const FENCE = /^\s{0,3}(?:```|~~~)/;
/** Under a line of text it makes that line a heading. */
const UNDERLINE = /^\s{0,3}(?:={3,}|-{3,})\s*$/;
const ITEM = /^\s*(?:[-*+•・]|\d{1,3}[.)])\s/;
const MARKER = /^(?:[-*+•・]|\d{1,3}[.)])$/;
/** "Total: 7.42": a line of a form, regardless of the lines around it. */
const FIELD = /^\s*[^\s:：|][^:：|\n]{0,28}[:：]\s*\S[^\n]{0,60}\n?$/;
/** "(2) Deadline", "連絡先：": what it names is on the next line. */
const LABEL =
  /^(?:(?:[(（]?[\p{N}一二三四五六七八九十]{1,3}[)）.．、]|第[\p{N}一二三四五六七八九十]+[条項])\s*.{1,30}|.{1,30}[:：])$/u;
const ENDED = /[.!?。！？…:：]["'”’)）」』\]]*\s*$/;

/** Enough of a sentence to see how it ends. */
const TAIL = 1_000;

/** Every sentence is an exact slice of `text`; white space between them is left out. */
export function sentences(text: string): readonly Sentence[] {
  const found: Sentence[] = [];
  for (const block of withLabels(text, blocks(text))) {
    const slice = text.slice(block.start, block.end);
    if (block.kind !== "prose") found.push(trimmed(text, block.start, block.end, block.kind));
    else
      for (const [start, end] of split(slice))
        found.push(trimmed(text, block.start + start, block.start + end, "prose"));
  }
  return found.filter(({ text: kept }) => /[\p{L}\p{N}]/u.test(kept));
}

interface BlockSpan {
  readonly start: number;
  readonly end: number;
  readonly kind: Sentence["kind"];
}

interface OpenBlocks {
  readonly found: { start: number; end: number; kind: Sentence["kind"]; lines: number }[];
  /** Further lines belong to the last block. */
  open: boolean;
  fenced: boolean;
}

/** Lines that were only wrapped belong together; rows, items, headings, code and blank lines cut. */
function blocks(text: string): readonly BlockSpan[] {
  const state: OpenBlocks = { found: [], open: false, fenced: false };
  for (const match of text.matchAll(/[^\n]*\n?/g)) {
    if (match[0] !== "") addLine(state, match[0], match.index);
  }
  return state.found;
}

function addLine(state: OpenBlocks, line: string, start: number): void {
  const end = start + line.length;
  const last = state.found.at(-1);
  const fence = FENCE.test(line);
  if (state.fenced && last) {
    last.end = end;
    state.fenced = !fence;
    return;
  }
  if (fence) {
    state.found.push({ start, end, kind: "code", lines: 1 });
    state.fenced = true;
    state.open = false;
    return;
  }
  if (state.open && last?.kind === "prose" && last.lines <= 2 && UNDERLINE.test(line)) {
    last.kind = "heading";
    state.open = false;
    return;
  }
  const kind = kindOf(line);
  if (last?.kind === "row" && RULE.test(line.trimStart())) last.kind = "head";
  if (line.trim() === "") state.open = false;
  else if (state.open && last?.kind === "prose" && isWrapped(line, kind)) {
    last.end = end;
    last.lines += 1;
  } else {
    state.found.push({ start, end, kind, lines: 1 });
    state.open = kind === "prose";
  }
}

function kindOf(line: string): Sentence["kind"] {
  if (ROW.test(line)) return "row";
  return HEADING.test(line) ? "heading" : "prose";
}

function isWrapped(line: string, kind: Sentence["kind"]): boolean {
  return kind === "prose" && !ITEM.test(line) && !FIELD.test(line);
}

function withLabels(text: string, found: readonly BlockSpan[]): readonly BlockSpan[] {
  const joined: BlockSpan[] = [];
  for (const block of found) {
    const label = joined.at(-1);
    const line = text.slice(block.start, block.end);
    const isNamed = block.kind === "prose" && !ITEM.test(line) && !LABEL.test(line.trim());
    if (label && isNamed && isLabel(text, label))
      joined.splice(-1, 1, { ...block, start: label.start });
    else joined.push(block);
  }
  return joined;
}

function isLabel(text: string, { start, end, kind }: BlockSpan): boolean {
  const line = text.slice(start, end).trim();
  return kind === "prose" && LABEL.test(line) && !/[.!?。！？…]$/.test(line);
}

function split(text: string): readonly [number, number][] {
  const spans: [number, number][] = [];
  // Line ends inside a block are wraps, not ends; a blank of the same length keeps every offset.
  const flat = text.replaceAll("\n", " ");
  for (const { segment, index } of segmenter("sentence").segment(flat)) {
    const last = spans.at(-1);
    const before = last ? flat.slice(Math.max(last[0], last[1] - TAIL), last[1]) : "";
    const goesOn = isOpen(before.trimEnd()) || /^\p{Ll}/u.test(segment) || isName(before, segment);
    if (last && goesOn) last[1] = index + segment.length;
    else spans.push([index, index + segment.length]);
  }
  return spans;
}

/** "CR4.PAE", "IA32_EFER.LMA": a point inside a name. */
function isName(before: string, after: string): boolean {
  return (
    /(?:^|[^\p{L}\p{N}_])(?=[\p{Ll}]*[\p{Lu}\p{N}_])[\p{Script=Latin}\p{N}_]{2,}\.$/u.test(
      before,
    ) && /^[\p{Script=Latin}\p{N}_]/u.test(after)
  );
}

/** "Dr.", "1.": a sentence does not end after these. */
function isOpen(before: string): boolean {
  return ABBREVIATION.test(before) || !ENDED.test(before) || MARKER.test(before.trim());
}

function trimmed(text: string, from: number, to: number, kind: Sentence["kind"]): Sentence {
  const slice = text.slice(from, to);
  const start = from + (slice.length - slice.trimStart().length);
  const end = to - (slice.length - slice.trimEnd().length);
  return { start, end: Math.max(start, end), text: text.slice(start, Math.max(start, end)), kind };
}

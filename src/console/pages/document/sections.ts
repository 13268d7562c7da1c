// Splits a document's text twice: into its pages, slides or sheets, and these into pieces small enough to render at
// once.
import type { DocumentView, Place } from "../../../tools/documents/contract.ts";
import { placeKey, type Span } from "../search/place.ts";

export interface Section {
  readonly place: Place;
  readonly start: number;
  readonly end: number;
  readonly slices: readonly Slice[];
}

export interface Slice {
  readonly start: number;
  readonly end: number;
  /** What has to be put before a part of a table or of code so that it is rendered as one. */
  readonly head: string;
  readonly tail: string;
}

interface Run {
  readonly place: Place;
  readonly blocks: Span[];
  start: number;
}

// About two screens, which are rendered in a few milliseconds.
const SLICE = 6_000;
const WHOLE = { head: "", tail: "" };

/** The sections cover the whole text. */
export function sectionsOf({ text, blocks }: DocumentView): readonly Section[] {
  const runs: Run[] = [];
  for (const { start, end, place } of blocks) {
    const last = runs.at(-1);
    if (last && placeKey(last.place) === placeKey(place)) last.blocks.push({ start, end });
    else runs.push({ place, start: last ? start : 0, blocks: [{ start, end }] });
  }
  if (runs.length === 0)
    runs.push({ place: {}, start: 0, blocks: [{ start: 0, end: text.length }] });
  return runs.map(({ place, start, blocks: own }, at) => {
    const end = runs[at + 1]?.start ?? text.length;
    return { place, start, end, slices: slicesOf(text, own) };
  });
}

export function sectionAt(sections: readonly Section[], at: number): Section | undefined {
  return sections.findLast(({ start }) => start <= at);
}

function slicesOf(text: string, blocks: readonly Span[]): readonly Slice[] {
  const slices: Slice[] = [];
  for (const block of blocks) {
    const last = slices.at(-1);
    if (block.end - block.start > SLICE * 2) slices.push(...cutBlock(text, block));
    else if (last && last.tail === "" && block.end - last.start <= SLICE) {
      slices[slices.length - 1] = { ...last, end: block.end };
    } else slices.push({ ...block, ...WHOLE });
  }
  return slices;
}

function cutBlock(text: string, { start, end }: Span): readonly Slice[] {
  const frame = frameOf(text, start);
  const slices: Slice[] = [];
  for (let from = start; from < end; ) {
    const line = text.indexOf("\n", from + SLICE);
    const to = line === -1 || line + 1 >= end ? end : line + 1;
    const first = from === start;
    slices.push({
      start: from,
      end: to,
      head: first ? "" : frame.head,
      tail: to === end ? "" : frame.tail,
    });
    from = to;
  }
  return slices;
}

function frameOf(text: string, start: number) {
  if (text.startsWith("```", start)) return { head: "```\n", tail: "\n```" };
  if (text[start] !== "|") return WHOLE;
  const second = text.indexOf("\n", text.indexOf("\n", start) + 1);
  return { head: text.slice(start, second + 1), tail: "" };
}

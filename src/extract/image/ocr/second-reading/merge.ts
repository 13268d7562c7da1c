// Merges two readings of one picture. Words that overlap are alternatives: of each such group, the reading with the
// higher confidence is kept. Words that only one reading has are kept if they are likely to be text.

import type { Box } from "../../../box.ts";
import type { OcrWord } from "../layout/word.ts";

const SURE = 0.8;
const LIKELY = 0.5;

export function mergeReadings(
  first: readonly OcrWord[],
  second: readonly OcrWord[],
): readonly OcrWord[] {
  const kept = new Set(first);
  const added: OcrWord[] = [];
  const seen = new Set<OcrWord>();
  for (const word of second) {
    if (seen.has(word)) continue;
    const group = groupOf(word, first, second);
    for (const each of group.second) seen.add(each);
    if (group.first.length === 0) added.push(...group.second.filter(isLikely));
    else if (score(group.second) > score(group.first)) {
      for (const each of group.first) kept.delete(each);
      added.push(...group.second);
    }
  }
  return [...kept, ...added];
}

interface Group {
  readonly first: readonly OcrWord[];
  readonly second: readonly OcrWord[];
}

/** Collects everything connected by a chain of overlaps. */
function groupOf(word: OcrWord, first: readonly OcrWord[], second: readonly OcrWord[]): Group {
  const group = { first: new Set<OcrWord>(), second: new Set([word]) };
  const open: { of: OcrWord; among: "first" | "second" }[] = [{ of: word, among: "first" }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { of, among } = next;
    for (const other of among === "first" ? first : second) {
      if (group[among].has(other) || !overlaps(of, other)) continue;
      group[among].add(other);
      open.push({ of: other, among: among === "first" ? "second" : "first" });
    }
  }
  return { first: [...group.first], second: [...group.second] };
}

function score(words: readonly OcrWord[]): number {
  return words.reduce((sum, { confidence, text }) => sum + (confidence - 0.5) * text.length, 0);
}

/** Corners of boxes and arrows are also recognised as short words. */
export function isLikely({ confidence, text }: OcrWord): boolean {
  const letters = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  return letters >= 2 ? confidence >= LIKELY : letters === 1 && confidence >= SURE;
}

export function overlaps(one: Box, other: Box): boolean {
  const across = Math.min(one.x + one.width, other.x + other.width) - Math.max(one.x, other.x);
  const down = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  if (across <= 0 || down <= 0) return false;
  const smaller = Math.min(one.width * one.height, other.width * other.height);
  return across * down > smaller * 0.25;
}

// Patches of ink that look like letters → lines. Frames, arrows, photographs and specks are left out.
import type { Box } from "../../../box.ts";
import { hasEdges, type Patch, thickness } from "../../pixels/components.ts";
import type { Pixels } from "../../pixels/png.ts";

export interface TextLine extends Box {
  readonly patches: readonly Patch[];
}

const LOWEST = 4;
const HIGHEST = 160;
// Touching letters form a wide patch, but no word of a label is wider than this many heights.
const WIDEST = 12;
const MIN_FILL = 0.08;
// A solid block is a button, a bar of a chart or a bullet.
const FULL = 0.95;
const THICKEST = 0.45;
const MAX_POINT = 12;
const MAX_PATCHES = 20_000;

/** `picture` is the picture that the ink was extracted from. */
export function textLines(patches: readonly Patch[], picture: Pixels): readonly TextLine[] {
  const letters = patches
    .filter((patch) => isLetter(patch) && hasEdges(patch, picture))
    .sort((a, b) => a.x - b.x);
  if (letters.length > MAX_PATCHES) return [];
  return grouped(letters).map(toLine).filter(isLine);
}

function isLetter(patch: Patch): boolean {
  const { width, height, area } = patch;
  if (height > HIGHEST || width > height * WIDEST + 12) return false;
  const fill = area / (width * height);
  const isStroke = Math.min(width, height) <= Math.max(3, Math.max(width, height) * 0.45);
  if (area < 3 || fill < MIN_FILL || (fill > FULL && !isStroke)) return false;
  // Arrowheads, bullets and half circles are thicker than any stroke; so are dots, but those are small.
  return Math.max(width, height) <= MAX_POINT || thickness(patch) <= height * THICKEST;
}

/** Groups neighbours on the same level; the patches are sorted from left to right. */
function grouped(letters: readonly Patch[]): readonly (readonly Patch[])[] {
  const groups: Patch[][] = [];
  const groupOf = new Map<Patch, Patch[]>();
  for (const [at, letter] of letters.entries()) {
    const own = groupOf.get(letter) ?? newGroup(letter, groups, groupOf);
    for (let next = at + 1; next < letters.length; next += 1) {
      const other = letters[next] as Patch;
      if (other.x - (letter.x + letter.width) > HIGHEST) break;
      if (!isBeside(letter, other)) continue;
      const its = groupOf.get(other);
      if (its === own) continue;
      merge(own, its ?? [other], groupOf);
    }
  }
  return groups.filter((group) => group.length > 0 && groupOf.get(group[0] as Patch) === group);
}

function newGroup(letter: Patch, groups: Patch[][], groupOf: Map<Patch, Patch[]>): Patch[] {
  const group = [letter];
  groups.push(group);
  groupOf.set(letter, group);
  return group;
}

function merge(into: Patch[], others: readonly Patch[], groupOf: Map<Patch, Patch[]>): void {
  for (const other of others) {
    into.push(other);
    groupOf.set(other, into);
  }
}

function isBeside(one: Box, other: Box): boolean {
  const taller = Math.max(one.height, other.height);
  const lower = Math.min(one.height, other.height);
  const gap = Math.max(one.x, other.x) - Math.min(one.x + one.width, other.x + other.width);
  const overlap = Math.min(one.y + one.height, other.y + other.height) - Math.max(one.y, other.y);
  if (gap > taller * 0.9 || overlap < lower * 0.5) return false;
  // Full stops, commas and hyphens are much lower than letters, but close to them.
  return taller <= lower * 2.2 || gap <= taller * 0.4;
}

function toLine(patches: readonly Patch[]): TextLine {
  const x = Math.min(...patches.map((patch) => patch.x));
  const y = Math.min(...patches.map((patch) => patch.y));
  const right = Math.max(...patches.map((patch) => patch.x + patch.width));
  const bottom = Math.max(...patches.map((patch) => patch.y + patch.height));
  return { x, y, width: right - x, height: bottom - y, patches };
}

/** Strokes are thin: a run of ink as long as the line is high belongs to an arrow, a bar or a picture. */
function isLine({ width, height, patches }: TextLine): boolean {
  const area = patches.reduce((sum, patch) => sum + patch.area, 0);
  const runs = patches.reduce((sum, patch) => sum + patch.runs.length, 0);
  return (
    height >= LOWEST + 2 &&
    width >= height * 0.4 &&
    area >= height * 2 &&
    area / runs <= height * THICKEST
  );
}

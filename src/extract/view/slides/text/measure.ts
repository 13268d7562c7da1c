// Estimates the width of text without its font: the widths of a common sans serif, adjusted for other families.
import { UNSPACED } from "../../../../text/scripts.ts";
import type { RunStyle } from "./styles.ts";

// In hundredths of the font's size, from the space to the tilde.
const WIDTHS = [
  28, 28, 36, 56, 56, 89, 67, 19, 33, 33, 39, 58, 28, 33, 28, 28, 56, 56, 56, 56, 56, 56, 56, 56,
  56, 56, 28, 28, 58, 58, 58, 56, 102, 67, 67, 72, 72, 67, 61, 78, 72, 28, 50, 67, 56, 83, 72, 78,
  67, 78, 72, 67, 61, 72, 67, 94, 67, 67, 61, 28, 28, 28, 47, 56, 33, 56, 56, 50, 56, 56, 28, 56,
  56, 22, 22, 50, 22, 83, 56, 56, 56, 56, 33, 50, 28, 56, 50, 72, 50, 50, 50, 33, 26, 33, 58,
];
const OTHER = 58;
const WIDE = new RegExp(`[${UNSPACED}\\u3000-\\u303f\\uff01-\\uff60\\uac00-\\ud7af]`, "u");
const FAMILIES: readonly (readonly [RegExp, number])[] = [
  [/narrow|condensed/i, 0.82],
  [/calibri|carlito|candara|corbel|gill/i, 0.91],
  [/times|garamond|cambria|georgia|serif/i, 0.94],
  [/verdana|tahoma|segoe|century gothic/i, 1.08],
];
const BOLDER = 1.06;

function isWide(character: string): boolean {
  return WIDE.test(character);
}

export function widthOf(text: string, { size, bold, family }: RunStyle): number {
  const factor = FAMILIES.find(([name]) => name.test(family))?.[1] ?? 1;
  let hundredths = 0;
  for (const character of text) {
    const known = WIDTHS[(character.codePointAt(0) ?? 0) - 32] ?? OTHER;
    hundredths += isWide(character) ? 100 : known * factor * (bold ? BOLDER : 1);
  }
  return (hundredths / 100) * size;
}

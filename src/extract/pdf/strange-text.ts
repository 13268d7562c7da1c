// Whether a text layer is not what people see: fonts with a wrong table give other letters, and so do bad scans.
import { readWritings } from "../plain/letters.ts";

const ALPHABETS = readWritings().filter(({ isAlphabet }) => isAlphabet);
const LETTERS = new Set(ALPHABETS.flatMap(({ costs }) => [...costs.keys()]));
// In bits.
const RARE = 11;
// Enough to tell, and bounded for pages of any length.
const SAMPLE = 4_000;
const MIN_LETTERS = 200;
const MIN_WORDS = 20;
// Divergence from the nearest language in bits: text has .1 to .7, also in languages that are not listed, exchanged
// letters 1.1 to 1.6.
const FAR = 1;
// Capitals inside words: prose has next to none, names in code up to a tenth.
const MANY = 0.15;

/** True if the letters are those of no language, or capitals and brackets are inside its words. */
export function isStrange(text: string): boolean {
  return hasStrangeLetters(text) || hasStrangeWords(text);
}

/** Only texts in an alphabet are judged. */
export function hasStrangeLetters(text: string): boolean {
  const counts = new Map<string, number>();
  const totals = { known: 0, all: 0 };
  for (const letter of text.slice(0, SAMPLE).normalize("NFD").toLowerCase()) {
    if (!/\p{L}/u.test(letter)) continue;
    totals.all += 1;
    if (!LETTERS.has(letter)) continue;
    totals.known += 1;
    counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  if (totals.known < MIN_LETTERS || totals.known < totals.all / 2) return false;
  return ALPHABETS.every(({ costs }) => divergence(counts, totals.known, costs) > FAR);
}

function divergence(
  counts: ReadonlyMap<string, number>,
  total: number,
  costs: ReadonlyMap<string, number>,
): number {
  let sum = 0;
  for (const [letter, count] of counts) {
    const share = count / total;
    sum += share * (Math.log2(share) + (costs.get(letter) ?? RARE));
  }
  return sum;
}

function hasStrangeWords(text: string): boolean {
  const words = text.slice(0, SAMPLE).match(/\S*\p{Ll}\S*/gu) ?? [];
  const strange = words.filter((word) => /\p{Ll}\p{Lu}\p{Ll}|\p{L}\]\p{L}/u.test(word)).length;
  return words.length >= MIN_WORDS && strange > words.length * MANY;
}

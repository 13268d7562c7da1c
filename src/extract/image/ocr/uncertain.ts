// Words that OCR may have misread: those read with little confidence, and figures that another figure on the same
// picture contradicts.
import { type OcrWord, unspaced } from "./layout/word.ts";

/** A part of a text, and the words to find in it. */
export interface Doubt {
  readonly words: readonly string[];
  readonly from: number;
  readonly to: number;
}

type Range = readonly [start: number, end: number];

// Of figures on receipts below it, half were wrong, and of words below theirs most.
const SURE = { figure: 0.8, word: 0.6 };
// In heights of a figure: the space between two words is wider.
const MAX_TOUCH = 0.2;
// A page with more is bad as a whole, which its confidence says.
const MAX_PER_PAGE = 100;

export function uncertainWords(phrases: readonly OcrWord[]): readonly string[] {
  const read = phrases.flatMap((phrase) => {
    const words = unspaced(phrase).text.split(/\s+/);
    const isCut = /^\d/.test(phrase.text) && phrases.some((other) => touches(other, phrase));
    return words.map((text, at) => ({
      text: inner(text),
      confidence: isCut && at === 0 ? 0 : phrase.confidence,
    }));
  });
  const isLost = lostDigits(read.map(({ text }) => figureOf(text)));
  const certain = new Set<string>();
  const doubted = new Set<string>();
  for (const { text, confidence } of read) {
    const isFigure = /\d/.test(text);
    const isSure = confidence >= (isFigure ? SURE.figure : SURE.word);
    if (!isSure || isLost(figureOf(text))) doubted.add(text);
    // A figure that was read with confidence elsewhere says nothing about this one.
    else if (!isFigure) certain.add(text);
  }
  return [...doubted]
    .filter((text) => text.length > 1 && !certain.has(text))
    .slice(0, MAX_PER_PAGE);
}

/** A digit right in front of a figure, and not part of it: "9" and "7%" are what was read of 97%. */
function touches(one: OcrWord, figure: OcrWord): boolean {
  const gap = figure.x - (one.x + one.width);
  const shared = Math.min(one.y + one.height, figure.y + figure.height) - Math.max(one.y, figure.y);
  const isBeside = gap >= 0 && gap < figure.height * MAX_TOUCH;
  return /\d$/.test(one.text) && isBeside && shared > Math.min(one.height, figure.height) / 2;
}

/** Without what is around letters, digits and their units. */
function inner(text: string): string {
  return text.replace(/^[^\p{L}\p{N}$€£¥]+|[^\p{L}\p{N}%°]+$/gu, "");
}

function figureOf(text: string): string {
  return /\d(?:.*\d)?/.exec(text)?.[0] ?? "";
}

/** Amounts are repeated: beside 148.40, 14840 has lost its point, and 48.40 its first digit. */
function lostDigits(figures: readonly string[]): (figure: string) => boolean {
  const amounts = figures.filter((figure) => /^\d+[.,]\d\d$/.test(figure));
  const pointless = new Set(amounts.map((amount) => amount.replace(/\D/g, "")));
  const tails = new Set(amounts.map((amount) => amount.slice(1)));
  return (figure) =>
    figure.length >= 3 && (pointless.has(figure) || (/^\d/.test(figure) && tails.has(figure)));
}

/** Everywhere in that part of the text where one of the words is a whole word. */
export function findWords(text: string, { words, from, to }: Doubt): readonly Range[] {
  const part = text.slice(from, to);
  const found = [...part.matchAll(/\S+/g)].flatMap(({ 0: token, index }): readonly Range[] => {
    const word = inner(token);
    const start = from + index + token.indexOf(word);
    return words.includes(word) ? [[start, start + word.length]] : [];
  });
  return [...found, ...words.filter(isWide).flatMap((word) => findInside(part, word, from))]
    .sort(([a], [b]) => a - b)
    .slice(0, MAX_PER_PAGE);
}

/** Japanese and Chinese words have no spaces around them. */
function isWide(word: string): boolean {
  return /[\u3005-\u9fff]/.test(word);
}

function findInside(part: string, word: string, from: number): readonly Range[] {
  const found: Range[] = [];
  for (let at = part.indexOf(word); at !== -1; at = part.indexOf(word, at + word.length)) {
    const isWhole =
      /^\s?$/.test(part.charAt(at - 1)) && /^\s?$/.test(part.charAt(at + word.length));
    if (!isWhole) found.push([from + at, from + at + word.length]);
  }
  return found;
}

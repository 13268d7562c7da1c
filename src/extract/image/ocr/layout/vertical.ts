// Words of a page with vertical lines → its text, the rightmost line first.
import { isPlausible } from "./lines.ts";
import { toRows } from "./rows.ts";
import { median, type OcrWord } from "./word.ts";

// A phrase wider than this many lines was joined across lines.
const WIDE = 1.6;

/** All lines form one paragraph, because line ends alone do not show where a paragraph ends. */
export function toVerticalParagraphs(words: readonly OcrWord[]): readonly string[] {
  const kept = words.filter(isPlausible);
  const usual = median(kept.map((word) => word.width));
  const rows = toRows(kept.flatMap((word) => byLine(word, usual)).map(onItsSide));
  const text = rows.flatMap((row) => row.words.map((word) => word.text)).join("");
  return text === "" ? [] : [text.replaceAll(" ", "")];
}

/** OCR joins words that are side by side, but here those are in different lines. */
function byLine(phrase: OcrWord, usual: number): readonly OcrWord[] {
  const parts = phrase.text.split(" ");
  if (parts.length === 1 || phrase.width < usual * WIDE) return [phrase];
  const step = (phrase.width - usual) / (parts.length - 1);
  return parts.map((text, at) => ({ ...phrase, text, x: phrase.x + at * step, width: usual }));
}

/** Rotates the word's box, so that lines run from left to right and the first is at the top. */
function onItsSide(word: OcrWord): OcrWord {
  return {
    ...word,
    x: word.y,
    y: -(word.x + word.width),
    width: word.height,
    height: word.width,
  };
}

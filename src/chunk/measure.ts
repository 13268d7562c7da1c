// How large a text is, in the unit that chunk sizes are given in.
import { isWide } from "../text/scripts.ts";

/**
 * characters: UTF-16 code units. columns: full-width characters (Chinese, Japanese, Korean) count
 * two, because they carry about twice as much meaning. tokens: an estimate of the model's word
 * pieces without a vocabulary, within a tenth on prose.
 */
export type ChunkUnit = "characters" | "columns" | "tokens";

export type Measure = (text: string, start: number, end: number) => number;

export function measureIn(unit: ChunkUnit): Measure {
  if (unit === "columns") return columns;
  return unit === "tokens" ? tokens : (_text, start, end) => end - start;
}

function columns(text: string, start: number, end: number): number {
  let size = end - start;
  for (let at = start; at < end; at += 1) if (isWide(text.charCodeAt(at))) size += 1;
  return size;
}

// English words of up to six letters are mostly one piece; longer ones have one more for about
// every five letters, and digits, as in identifiers and amounts, one for about every three.
function tokens(text: string, start: number, end: number): number {
  let size = 0;
  const word = { letters: 0, digits: 0 };
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) word.digits += 1;
    else if (isLetter(code)) word.letters += 1;
    else {
      size += takePieces(word);
      if (code > 32 && code !== 0xa0 && code !== 0x3000) size += 1;
    }
  }
  return size + takePieces(word);
}

function takePieces(word: { letters: number; digits: number }): number {
  const { letters, digits } = word;
  word.letters = 0;
  word.digits = 0;
  const ofLetters = letters <= 6 ? Math.min(1, letters) : 1 + Math.ceil((letters - 6) / 5);
  return ofLetters + Math.ceil(digits / 3);
}

function isLetter(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
  return code >= 0xc0 && code < 0x1100;
}

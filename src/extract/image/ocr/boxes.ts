// Where a word is on the original picture, however it was rotated for OCR.
import type { Box } from "../../box.ts";
import type { OcrWord } from "./layout/word.ts";
import type { Attempt, Picture } from "./recognize.ts";

/** OCR returns phrases: each word gets a share of the box in proportion to its letters. */
export function wordsOf(phrase: OcrWord): readonly OcrWord[] {
  const letters = Math.max(1, phrase.text.length);
  return [...phrase.text.matchAll(/\S+/g)].map(({ 0: text, index }) => ({
    ...phrase,
    text,
    x: phrase.x + (phrase.width * index) / letters,
    width: (phrase.width * text.length) / letters,
  }));
}

type Size = Pick<Picture, "width" | "height">;
type Rotation = Pick<Attempt, "turn" | "skew">;

/** Shares of the picture's width and height. */
export function boxOf(word: Box, { turn, skew = 0 }: Rotation, size: Size): Box {
  const turned = turn % 180 === 0 ? size : { width: size.height, height: size.width };
  const box = toShares(skew === 0 ? word : leaning(word, skew, turned), turned);
  const right = 1 - box.x - box.width;
  const bottom = 1 - box.y - box.height;
  if (turn === 180) return { ...box, x: right, y: bottom };
  const swapped = { width: box.height, height: box.width };
  if (turn === 90) return { ...swapped, x: bottom, y: box.x };
  return turn === 270 ? { ...swapped, x: box.y, y: right } : box;
}

function toShares(word: Box, { width, height }: Size): Box {
  return {
    x: word.x / width,
    y: word.y / height,
    width: word.width / width,
    height: word.height / height,
  };
}

/** Keeps the box upright and moves it to where the word's centre was. */
function leaning(word: Box, skew: number, { width, height }: Size): Box {
  const across = word.x + word.width / 2 - width / 2;
  const down = word.y + word.height / 2 - height / 2;
  return {
    x: Math.cos(skew) * across - Math.sin(skew) * down + width / 2 - word.width / 2,
    y: Math.sin(skew) * across + Math.cos(skew) * down + height / 2 - word.height / 2,
    width: word.width,
    height: word.height,
  };
}

// What the first reading left out or doubts: light letters on dark or coloured areas, faint print, uneven light, pages
// that were photographed askew. The picture is flattened to ink on white, set straight, and read again.
import type { LiteParse } from "@llamaindex/liteparse";
import { flatten } from "../pixels/flatten.ts";
import { inkedCells, wipe, wipeRules } from "../pixels/ink.ts";
import { decodePng, encodeGrey, type Pixels } from "../pixels/png.ts";
import { rotated, skewOf } from "../pixels/skew.ts";
import { boxOf } from "./boxes.ts";
import type { OcrWord } from "./lines.ts";
import { chosen } from "./merge.ts";
import { type Attempt, type Picture, type Recognize, type Result, toResult } from "./recognize.ts";

const SURE = 0.8;
// Tesseract reads lines best that are about this many pixels high.
const BEST_HEIGHT = 36;
const USUAL_HEIGHT = 20;
const SMALLEST_SCALE = 0.5;
const LARGEST_SCALE = 4;
// Fewer cells with ink beside the words are specks, arrows and the ends of lines.
const FEWEST_CELLS = 6;
const LEAST_LEFT = 0.06;
const LEAST_SKEW = (1.5 * Math.PI) / 180;

export interface Looking {
  readonly picture: Picture;
  readonly recognize: Recognize;
  readonly Parser: typeof LiteParse;
  readonly largestScale: number;
}

/**
 * The reading with what a second one adds. A good one is only completed: its words are wiped out, and what is left is
 * read if it is worth it. A weak one is replaced, place by place, where the ink is read more surely; one that leans as a
 * whole.
 */
export async function lookAgain(first: Result, isGood: boolean, looking: Looking): Promise<Result> {
  const height = wordHeight(first.words) ?? USUAL_HEIGHT;
  const ink = await inkOf(looking, height);
  if (ink === undefined) return first;
  const inking = { ...looking, height };
  const skew = first.attempt.turn % 180 === 0 ? skewOf(ink) : 0;
  if (Math.abs(skew) >= LEAST_SKEW) {
    const straight = await readInk(rotated(ink, skew), { ...first.attempt, skew }, inking);
    return straight.score > first.score ? straight : first;
  }
  if (isGood && !isLeft(ink, first, inking)) return first;
  const again = await readInk(ink, first.attempt, inking);
  return toResult(chosen(first.words, again.words), first.attempt);
}

type Inking = Looking & { readonly height: number };

/** Whether there is ink beside the words that were read, which are wiped out. */
function isLeft(ink: Pixels, { words, attempt }: Result, { picture, height }: Inking): boolean {
  for (const word of words) wipe(ink, boxOf(word, attempt, picture));
  const read = words.reduce((sum, word) => sum + (word.width * word.height) / height ** 2, 0);
  return inkedCells(ink, height) >= Math.max(FEWEST_CELLS, read * LEAST_LEFT);
}

function readInk(
  ink: Pixels,
  attempt: Attempt,
  { picture, recognize, largestScale, height }: Inking,
): Promise<Result> {
  const wanted = Math.min(Math.max(BEST_HEIGHT / height, SMALLEST_SCALE), LARGEST_SCALE);
  const scale = Math.min(wanted, largestScale);
  return recognize({ ...picture, bytes: encodeGrey(ink) }, { ...attempt, scale });
}

/** The usual height of words that are sure. */
function wordHeight(words: readonly OcrWord[]): number | undefined {
  const heights = words
    .filter(({ text, confidence }) => confidence >= SURE && text.length > 1)
    .map((word) => Math.min(word.height, word.width * 1.5))
    .sort((a, b) => a - b);
  return heights[Math.floor(heights.length / 2)];
}

async function inkOf({ Parser, picture }: Looking, height: number): Promise<Pixels | undefined> {
  const pixels = decodePng(picture.fits ? picture.bytes : await painted(Parser, picture));
  if (pixels === undefined || pixels.channels < 3) return undefined;
  const ink = flatten(pixels, Math.min(60, Math.max(12, height * 1.5)));
  wipeRules(ink, Math.round(height * 4));
  return ink;
}

/** As PNG of the one kind that is decoded here, whatever it was. */
async function painted(Parser: typeof LiteParse, picture: Picture): Promise<Buffer> {
  const painter = new Parser({ dpi: 150, quiet: true, ocrEnabled: false, numWorkers: 1 });
  const [shot] = await painter.screenshot(picture.bytes, [1]).catch(() => []);
  return shot?.imageBuffer ?? Buffer.alloc(0);
}

// Reads again what the first reading missed or doubts: light letters on dark or coloured areas, faint print, uneven
// light, skewed photographs. The picture is flattened to ink on white and deskewed first.
import type { LiteParse } from "@llamaindex/liteparse";
import { flatten, wipeRules } from "../../pixels/flatten.ts";
import { decodePng, encodeGrey, type Pixels } from "../../pixels/png.ts";
import { rotated, skewOf } from "../../pixels/skew.ts";
import type { OcrLanguage } from "../languages.ts";
import { median, type OcrWord } from "../layout/word.ts";
import { type Attempt, type Picture, type Recognize, type Result, toResult } from "../recognize.ts";
import { mergeReadings } from "./merge.ts";
import { readMissedLines } from "./missed-lines.ts";

const SURE = 0.8;
// Tesseract is best with lines of about this height in pixels.
const BEST_HEIGHT = 36;
const USUAL_HEIGHT = 20;
const SMALLEST_SCALE = 0.5;
const MAX_SCALE = 4;
const MIN_SKEW = (1.5 * Math.PI) / 180;

export interface SecondReading {
  readonly picture: Picture;
  readonly recognize: Recognize;
  readonly Parser: typeof LiteParse;
  readonly largestScale: number;
  /** All languages that run from left to right. */
  readonly languages: readonly OcrLanguage[];
  readonly isGood: (result: Result) => boolean;
}

/**
 * Improves the reading with a second one: lines that the first one skipped are read separately. If
 * some are still missing, or the reading is still weak, everything that was not read with
 * confidence is read again as a whole, and the words with the higher confidence are kept. A skewed
 * picture is straightened first.
 */
export async function readAgain(first: Result, reading: SecondReading): Promise<Result> {
  const height = wordHeight(first.words);
  const pixels = await pixelsOf(reading);
  if (pixels === undefined) return first;
  const ink = inkOf(pixels, height);
  const inkReading = { ...reading, height };
  const skew = first.attempt.turn % 180 === 0 ? skewOf(ink) : 0;
  if (Math.abs(skew) >= MIN_SKEW) {
    const level = rotated(ink, skew);
    const straight = await readInk(level, { ...first.attempt, skew }, inkReading);
    if (straight.score <= first.score) return first;
    return (await readMissedLines(straight, { ink: level, picture: level }, inkReading)).read;
  }
  if (first.attempt.language.vertical)
    return reading.isGood(first) ? first : readRest(first, ink, inkReading);
  const { read, left, isMore } = await readMissedLines(first, { ink, picture: pixels }, inkReading);
  return isMore || !reading.isGood(read) ? readRest(read, left, inkReading) : read;
}

type InkReading = SecondReading & { readonly height: number };

async function readRest(first: Result, ink: Pixels, inkReading: InkReading): Promise<Result> {
  const again = await readInk(ink, first.attempt, inkReading);
  return toResult(mergeReadings(first.words, again.words), first.attempt);
}

function readInk(
  ink: Pixels,
  attempt: Attempt,
  { picture, recognize, largestScale, height }: InkReading,
): Promise<Result> {
  const wanted = Math.min(Math.max(BEST_HEIGHT / height, SMALLEST_SCALE), MAX_SCALE);
  const scale = Math.min(wanted, largestScale);
  return recognize({ ...picture, bytes: encodeGrey(ink) }, { ...attempt, scale });
}

/** The usual height of words that were read with confidence. */
function wordHeight(words: readonly OcrWord[]): number {
  const sure = words.filter(({ text, confidence }) => confidence >= SURE && text.length > 1);
  return median(sure.map((word) => Math.min(word.height, word.width * 1.5))) || USUAL_HEIGHT;
}

async function pixelsOf({ Parser, picture }: SecondReading): Promise<Pixels | undefined> {
  const pixels = decodePng(picture.fits ? picture.bytes : await painted(Parser, picture));
  return pixels === undefined || pixels.channels < 3 ? undefined : pixels;
}

function inkOf(pixels: Pixels, height: number): Pixels {
  const ink = flatten(pixels, Math.min(60, Math.max(12, height * 1.5)));
  wipeRules(ink, Math.round(height * 4));
  return ink;
}

/** Converts any picture to the one kind of PNG that our decoder reads. */
async function painted(Parser: typeof LiteParse, picture: Picture): Promise<Buffer> {
  const painter = new Parser({ dpi: 150, quiet: true, ocrEnabled: false, numWorkers: 1 });
  // A second reading is an extra: without a picture for it the first one counts.
  const [shot] = await painter.screenshot(picture.bytes, [1]).catch(() => []);
  return shot?.imageBuffer ?? Buffer.alloc(0);
}

// Text in pixels, read by Tesseract inside liteparse; a weak reading is tried again larger, turned, or in
// another language, and the best one is kept.
import type { LiteParse } from "@llamaindex/liteparse";
import { KnowledgeError } from "../../domain/errors.ts";
import type { OcrSettings } from "../reader.ts";
import { type OcrLanguage, ocrLanguages } from "./ocr-languages.ts";
import { type OcrWord, toParagraphs } from "./ocr-lines.ts";
import { toVerticalParagraphs } from "./ocr-vertical.ts";

export interface OcrReading {
  readonly paragraphs: readonly string[];
  readonly characters: number;
  /** The mean over characters, 0 to 1. */
  readonly confidence: number;
}

export interface Picture {
  /** PNG or JPEG. */
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
  /** Painted from a page at the resolution that suits recognition: not enlarged at first. */
  readonly fits?: boolean;
}

export interface Ocr {
  read(picture: Picture): Promise<OcrReading>;
}

interface Attempt {
  readonly language: OcrLanguage;
  readonly scale: number;
  readonly turn: 0 | 90 | 180 | 270;
}

interface Result extends OcrReading {
  readonly score: number;
  readonly upright: boolean;
  readonly attempt: Attempt;
}

// liteparse takes a picture for a page of 150 dots an inch, so this dpi reads it pixel by pixel.
const PICTURE_DPI = 150;
const MOST_PIXELS = 24_000_000;
const GOOD = 0.85;
const CERTAIN = 0.93;
const WEAK = 0.65;
const FEWEST = 20;

export async function openOcr(settings: OcrSettings, alive: () => void): Promise<Ocr> {
  const languages = await ocrLanguages(settings);
  const { LiteParse } = await import("@llamaindex/liteparse");
  // Pages of one file are mostly in one language: the one that won goes first.
  let preferred = languages[0];
  return {
    async read(picture) {
      const attempt = (one: Attempt) => recognize(LiteParse, picture, one, settings.dataDir);
      const scale = baseScale(picture);
      const order = languages.toSorted((a, b) => Number(b === preferred) - Number(a === preferred));
      let best: Result | undefined;
      const consider = async (one: Attempt) => {
        const result = await attempt(one);
        alive();
        if (best === undefined || result.score > best.score) best = result;
        return best;
      };
      for (const language of order) {
        const found = await consider({ language, scale, turn: 0 });
        if (isGood(found)) break;
      }
      if (best !== undefined && !isGood(best)) await tryHarder(picture, best, consider);
      if (best === undefined)
        throw new KnowledgeError("OCR_FAILED", "The picture could not be read.");
      if (best.characters >= FEWEST) preferred = best.attempt.language;
      const { paragraphs, characters, confidence } = best;
      return { paragraphs, characters, confidence };
    },
  };
}

async function tryHarder(
  picture: Picture,
  found: Result,
  consider: (attempt: Attempt) => Promise<Result>,
): Promise<void> {
  let best = found;
  // Where nothing at all was seen, turning the picture shows nothing either.
  if (best.characters > 0 && (!best.upright || best.confidence < WEAK)) {
    for (const turn of [180, 90, 270] as const) {
      best = await consider({ ...found.attempt, turn });
      if (isGood(best)) return;
    }
  }
  const { scale } = best.attempt;
  for (const factor of [1.5, 0.67]) {
    const other = Math.min(scale * factor, largestScale(picture));
    if (Math.abs(other - scale) > 0.1) best = await consider({ ...best.attempt, scale: other });
    if (isGood(best)) return;
  }
}

/** A few words that are certain are all that a sign or a button has. */
function isGood({ confidence, characters, upright }: Result): boolean {
  const enough = characters >= FEWEST || (characters >= 3 && confidence >= CERTAIN);
  return confidence >= GOOD && enough && upright;
}

/** Small pictures are screenshots and clippings: their letters are too low to be read as they are. */
function baseScale(picture: Picture): number {
  return Math.min(wantedScale(picture), largestScale(picture));
}

function wantedScale({ fits, width }: Picture): number {
  if (fits || width >= 2_000) return 1;
  return width < 700 ? 2 : 1.5;
}

function largestScale({ width, height }: Picture): number {
  return Math.sqrt(MOST_PIXELS / (width * height));
}

async function recognize(
  Parser: typeof LiteParse,
  picture: Picture,
  attempt: Attempt,
  tessdataPath: string,
): Promise<Result> {
  const parser = new Parser({
    outputFormat: "json",
    quiet: true,
    ocrEnabled: true,
    ocrLanguage: attempt.language.name,
    tessdataPath,
    dpi: PICTURE_DPI * attempt.scale,
    numWorkers: 1,
    ...(attempt.turn === 0
      ? {}
      : { pageOrientationCorrections: [{ page: 1, angle: attempt.turn }] }),
  });
  const { pages } = await parser.parse(picture.bytes).catch((cause: unknown) => {
    throw new KnowledgeError(
      "OCR_FAILED",
      "The picture could not be decoded for OCR; it is probably damaged.",
      { cause },
    );
  });
  const words = (pages[0]?.textItems ?? []).map((item) => ({
    ...item,
    confidence: item.confidence ?? 0,
  }));
  return toResult(words, attempt);
}

function toResult(words: readonly OcrWord[], attempt: Attempt): Result {
  const { vertical } = attempt.language;
  let characters = 0;
  let sure = 0;
  let score = 0;
  let tall = 0;
  for (const { text, confidence, width, height } of words) {
    characters += text.length;
    sure += confidence * text.length;
    // Noise is many short words that recognition itself doubts.
    score += (confidence - 0.5) * text.length;
    if (text.length >= 3 && height > width * 1.5) tall += text.length;
  }
  return {
    paragraphs: vertical ? toVerticalParagraphs(words) : toParagraphs(words),
    characters,
    confidence: characters === 0 ? 0 : sure / characters,
    score,
    upright: vertical || tall <= characters * 0.4,
    attempt,
  };
}

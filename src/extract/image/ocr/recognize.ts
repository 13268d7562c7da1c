// One reading of a picture by Tesseract, inside liteparse: in one language, at one size, in one orientation.
import type { LiteParse } from "@llamaindex/liteparse";
import { KnowledgeError } from "../../../domain/errors.ts";
import type { OcrLanguage } from "./languages.ts";
import type { OcrWord } from "./layout/word.ts";

export interface Picture {
  /** PNG or JPEG. */
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
  /** Rendered from a page at the resolution that suits OCR, so it is not enlarged at first. */
  readonly fits?: boolean;
}

export interface Attempt {
  readonly language: OcrLanguage;
  readonly scale: number;
  readonly turn: 0 | 90 | 180 | 270;
  /** The angle in radians by which the picture was straightened, about its centre. */
  readonly skew?: number;
}

export interface Result {
  /** In pixels of the picture as this attempt rotated it. */
  readonly words: readonly OcrWord[];
  readonly attempt: Attempt;
  readonly characters: number;
  /** The mean over characters, 0 to 1. */
  readonly confidence: number;
  readonly score: number;
  readonly upright: boolean;
  /** Many words are taller than wide, as when vertical lines are read as if they were horizontal. */
  readonly looksVertical: boolean;
}

export type Recognize = (picture: Picture, attempt: Attempt) => Promise<Result>;

// liteparse treats a picture as a page of 150 dots per inch, so at this dpi pixels stay as they are
// in the file.
const PICTURE_DPI = 150;
const PIXELS_PER_POINT = PICTURE_DPI / 72;

export function openRecognizer(Parser: typeof LiteParse, tessdataPath: string): Recognize {
  return async (picture, attempt) => {
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
        "The image could not be decoded for OCR. It is probably damaged.",
        { cause },
      );
    });
    const words = (pages[0]?.textItems ?? []).map(({ text, x, y, width, height, confidence }) => ({
      text,
      x: x * PIXELS_PER_POINT,
      y: y * PIXELS_PER_POINT,
      width: width * PIXELS_PER_POINT,
      height: height * PIXELS_PER_POINT,
      confidence: confidence ?? 0,
    }));
    return toResult(words, attempt);
  };
}

export function toResult(words: readonly OcrWord[], attempt: Attempt): Result {
  let characters = 0;
  let sure = 0;
  let score = 0;
  let tall = 0;
  let long = 0;
  for (const { text, confidence, width, height } of words) {
    characters += text.length;
    sure += confidence * text.length;
    // Noise shows as many short words with low confidence.
    score += (confidence - 0.5) * text.length;
    if (height <= width * 1.5) continue;
    tall += text.length;
    if (text.length >= 3) long += text.length;
  }
  return {
    words,
    attempt,
    characters,
    confidence: characters === 0 ? 0 : sure / characters,
    score,
    upright: attempt.language.vertical || long <= characters * 0.4,
    // At most 0.14 on pictures with horizontal lines, and 0.3 to 0.8 with vertical ones.
    looksVertical: tall > characters * 0.25,
  };
}

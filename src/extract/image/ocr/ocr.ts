// Text in pixels. A weak reading is tried again rotated or in another language, what it missed or doubts is read a
// second time, and the best reading is kept.
import { KnowledgeError } from "../../../domain/errors.ts";
import type { Box } from "../../box.ts";
import type { OcrSettings } from "../../reader.ts";
import type { Writer } from "../../writer.ts";
import { boxOf, wordsOf } from "./boxes.ts";
import { ocrLanguages } from "./languages.ts";
import { type OcrPiece, toPieces, toVerticalParagraphs } from "./layout/lines.ts";
import {
  type Attempt,
  openRecognizer,
  type Picture,
  type Recognize,
  type Result,
} from "./recognize.ts";
import { readAgain } from "./second-reading/read-again.ts";
import { uncertainWords } from "./uncertain.ts";

export type { Picture } from "./recognize.ts";

export interface OcrReading {
  readonly pieces: readonly OcrPiece[];
  readonly characters: number;
  /** The mean over characters, 0 to 1. */
  readonly confidence: number;
  /** In the order of recognition, which may differ from the reading order. */
  readonly words: readonly PlacedWord[];
  /** Words that may be misread. */
  readonly uncertain: readonly string[];
}

interface PlacedWord {
  readonly text: string;
  readonly box: Box;
}

export interface Ocr {
  read(picture: Picture): Promise<OcrReading>;
}

const MAX_PIXELS = 24_000_000;
const GOOD = 0.85;
const CERTAIN = 0.93;
const WEAK = 0.65;
const CLEARLY = 0.08;
const FEWEST = 20;
/**
 * An icon has a few letters at most. Folders contain hundreds of icons, and each reading takes a
 * fifth of a second.
 */
const ICON_PIXELS = 64 * 64;

export async function openOcr(settings: OcrSettings, alive: () => void): Promise<Ocr> {
  const languages = await ocrLanguages(settings);
  const { LiteParse: Parser } = await import("@llamaindex/liteparse");
  const recognizeOnce = openRecognizer(Parser, settings.dataDir);
  // A picture is read several times, and each reading may take long.
  const recognize: Recognize = (picture, attempt) => recognizeOnce(picture, attempt).finally(alive);
  // Pages of one file are mostly in one language, so the last language that won is tried first.
  let preferred = languages[0];
  return {
    async read(picture) {
      const order = languages.toSorted((a, b) => Number(b === preferred) - Number(a === preferred));
      const scale = baseScale(picture);
      const attempts = order.map((language): Attempt => ({ language, scale, turn: 0 }));
      const [usual] = attempts;
      if (usual !== undefined && picture.width * picture.height <= ICON_PIXELS) {
        return toReading(await recognize(picture, usual), picture);
      }
      const consider = async (best: Result | undefined, attempt: Attempt) => {
        const result = await recognize(picture, attempt);
        return best === undefined || isBetter(result, best) ? result : best;
      };
      const improve = (result: Result) =>
        readAgain(result, {
          picture,
          recognize,
          Parser,
          largestScale: largestScale(picture),
          languages: languages.filter((language) => !language.vertical),
          isGood,
        });
      const first = await tryEach(attempts, consider);
      const improved = first.upright ? await improve(first) : first;
      const isDoubted = !first.upright || first.confidence < WEAK;
      const turned =
        isDoubted && !isGood(improved) ? await tryTurned(improved, consider) : improved;
      const best = turned === improved ? improved : await improve(turned);
      if (best.characters >= FEWEST) preferred = best.attempt.language;
      return toReading(best, picture);
    },
  };
}

type Consider = (best: Result | undefined, attempt: Attempt) => Promise<Result>;

/** Tries a vertical language if lines seem to run from top to bottom, or if nothing else could read them. */
async function tryEach(attempts: readonly Attempt[], consider: Consider): Promise<Result> {
  const [first, ...others] = attempts;
  if (first === undefined) throw new KnowledgeError("OCR_FAILED", "The image could not be read.");
  let best = await consider(undefined, first);
  const left = new Set(others);
  while (!isGood(best)) {
    const isReadAcross = !best.looksVertical && best.confidence >= WEAK;
    const fitting = [...left].filter(({ language }) => !(language.vertical && isReadAcross));
    const vertical = fitting.find(({ language }) => language.vertical);
    const next = (best.looksVertical ? vertical : undefined) ?? fitting[0];
    if (next === undefined) break;
    left.delete(next);
    best = await consider(best, next);
  }
  return best;
}

/** A vertical language turns horizontal lines into noise, which must not hide a page that lies on its side. */
function isBetter(result: Result, best: Result): boolean {
  const isNoise = result.attempt.language.vertical && result.confidence < WEAK;
  return !isNoise && result.score > best.score;
}

/** If nothing was found, or only noise, rotating the picture does not help. */
async function tryTurned(found: Result, consider: Consider): Promise<Result> {
  let best = found;
  if (best.characters === 0) return best;
  for (const turn of [180, 90, 270] as const) {
    const turned = await consider(best, { ...found.attempt, turn });
    if (turned.confidence > found.confidence + CLEARLY || !found.upright) best = turned;
    if (isGood(best)) break;
  }
  return best;
}

function toReading(
  { words, attempt, characters, confidence }: Result,
  picture: Picture,
): OcrReading {
  const pieces = attempt.language.vertical
    ? toVerticalParagraphs(words).map((text) => ({ kind: "text" as const, text }))
    : toPieces(words);
  const placed = words.flatMap(wordsOf).map((word) => ({
    text: word.text,
    box: boxOf(word, attempt, picture),
  }));
  return { pieces, characters, confidence, words: placed, uncertain: uncertainWords(words) };
}

/** A few certain words are enough, because a sign or a button has no more. */
function isGood({ confidence, characters, upright }: Result): boolean {
  const enough = characters >= FEWEST || (characters >= 3 && confidence >= CERTAIN);
  return confidence >= GOOD && enough && upright;
}

/** Small pictures are screenshots and clippings, whose letters are too small to read without enlarging. */
function baseScale(picture: Picture): number {
  return Math.min(wantedScale(picture), largestScale(picture));
}

function wantedScale({ fits, width }: Picture): number {
  if (fits || width >= 2_000) return 1;
  return width < 700 ? 2 : 1.5;
}

function largestScale({ width, height }: Picture): number {
  return Math.sqrt(MAX_PIXELS / (width * height));
}

export function writeOcrPieces(
  out: Writer,
  { pieces, uncertain }: OcrReading,
  kind: "figure" | "paragraph",
): void {
  const from = out.characters();
  for (const piece of pieces)
    out.write(piece.kind === "table" ? piece : { kind, text: piece.text });
  out.doubt(uncertain, from);
}

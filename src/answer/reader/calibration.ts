// The reader's numbers as probabilities of being right, fitted on articles that it had not seen:
// training/reader/calibrate.py writes calibration.json.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { KnowledgeError } from "../../domain/errors.ts";

export interface CalibrationSigns {
  /** What the network gives the sentences that are shown. */
  readonly likely: number;
  /** What it gives to "no passage answers". */
  readonly none: number;
  /** The search's relevance of the first sentence's passage, and how far that is below the best. */
  readonly score: number;
  readonly below: number;
  readonly isFirst: boolean;
  /** The mean relevance of all passages read. */
  readonly mean: number;
  /** How much of the question the first sentence says, by meaning. */
  readonly said: number;
  /** How many pieces the question has. */
  readonly asked: number;
  readonly isProse: boolean;
}

export interface Calibration {
  probability(group: LanguageGroup, signs: CalibrationSigns): number;
  /** The least probability of an answer that is shown as one. */
  answered(group: LanguageGroup): number;
  /** The common cutoff of search and reader: below it, nothing found is about the question. */
  isNear(none: number, score: number): boolean;
}

/** A logistic curve over the signs: the bias and a weight for each. */
type Curve = Readonly<Record<"bias" | Exclude<keyof CalibrationSigns, "isProse">, number>>;

interface CalibrationFile {
  readonly groups: Readonly<Record<LanguageGroup, Curve & { readonly answered: number }>>;
  readonly near: Readonly<Record<"bias" | "none" | "score" | "least", number>>;
}

/** Lines of forms and labels in pictures are not what the reader has learnt from, so they must be this much surer. */
const UNSURE_OF_LINES = 1;

export async function loadCalibration(folder: string): Promise<Calibration> {
  const text = await readFile(join(folder, "calibration.json"), "utf8").catch((cause) => {
    const message = "The reader's model is missing or damaged; install the program again.";
    throw new KnowledgeError("MODEL_UNAVAILABLE", message, { cause });
  });
  return toCalibration(JSON.parse(text) as CalibrationFile);
}

function toCalibration({ groups, near }: CalibrationFile): Calibration {
  return {
    probability: (group, { likely, none, score, below, isFirst, mean, said, asked, isProse }) => {
      const by = groups[group];
      const ofPassages =
        by.score * score + by.below * below + by.isFirst * Number(isFirst) + by.mean * mean;
      const ofNetwork = by.likely * toLogit(likely) + by.none * toLogit(none);
      const ofSentence = by.said * said + by.asked * Math.log(Math.max(1, asked));
      return toShare(
        by.bias + ofPassages + ofNetwork + ofSentence - (isProse ? 0 : UNSURE_OF_LINES),
      );
    },
    answered: (group) => groups[group].answered,
    isNear: (none, score) =>
      toShare(near.bias + near.none * toLogit(none) + near.score * score) >= near.least,
  };
}

const LEAST = 1e-4;

function toLogit(share: number): number {
  const within = Math.min(1 - LEAST, Math.max(LEAST, share));
  return Math.log(within / (1 - within));
}

function toShare(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

// The groups of languages that the probabilities are fitted for.

/** `across`: question and passage are in different languages. */
export type LanguageGroup = "ja" | "zh" | "en" | "other" | "across";

const KANA = /[\p{sc=Hiragana}\p{sc=Katakana}]/u;
const HAN = /\p{sc=Han}/u;
const LETTERS = /\p{L}/gu;
const LATIN = /\p{sc=Latin}/gu;
const MOSTLY = 0.5;

export function groupOf(
  query: string,
  text: string,
  encoderFor: (text: string) => "model" | "light",
): LanguageGroup {
  const [asked, own] = [languageOf(query, encoderFor), languageOf(text, encoderFor)];
  if (asked === own) return own;
  // A few names have no language, and a Japanese question may have no kana.
  const isHan = (one: LanguageGroup) => one === "ja" || one === "zh";
  if (isHan(asked) && isHan(own)) return own;
  const isLatin = (one: string) => countOf(one, LATIN) > countOf(one, LETTERS) * MOSTLY;
  if (isLatin(query) && isLatin(text) && query.split(/\s+/).length <= 4) return own;
  return "across";
}

function languageOf(text: string, encoderFor: (text: string) => "model" | "light"): LanguageGroup {
  if (KANA.test(text)) return "ja";
  if (HAN.test(text)) return "zh";
  const isLatin = countOf(text, LATIN) >= countOf(text, LETTERS) * MOSTLY;
  return isLatin && encoderFor(text) === "model" ? "en" : "other";
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

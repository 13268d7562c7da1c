// The reader's numbers as probabilities of being right, fitted on articles that it had not seen:
// training/reader/calibrate.ts writes calibration.json.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { KnowledgeError } from "../../domain/errors.ts";
import type { LanguageGroup } from "./language-group.ts";

export interface ReadSigns {
  /** What the network gives the sentences that are shown. */
  readonly likely: number;
  /** What it gives to "no passage answers". */
  readonly none: number;
  /** The search's relevance of the first sentence's passage. */
  readonly score: number;
  readonly isProse: boolean;
}

export interface Calibration {
  probability(group: LanguageGroup, signs: ReadSigns): number;
  /** The least probability of an answer that is shown as one. */
  answered(group: LanguageGroup): number;
  /** The common cutoff of search and reader: below it, nothing found is about the question. */
  isNear(none: number, score: number): boolean;
}

/** A logistic curve over the signs. */
interface Curve {
  readonly bias: number;
  readonly likely: number;
  readonly none: number;
  readonly score: number;
}

interface CalibrationFile {
  readonly groups: Readonly<Record<LanguageGroup, Curve & { readonly answered: number }>>;
  readonly near: Omit<Curve, "likely"> & { readonly least: number };
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
    probability: (group, { likely, none, score, isProse }) => {
      const by = groups[group];
      const sum =
        by.bias + by.likely * toLogit(likely) + by.none * toLogit(none) + by.score * score;
      return toShare(isProse ? sum : sum - UNSURE_OF_LINES);
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

// Scores the best candidates again, now with their text: the passage's language, how near its nearest parts are, and in
// scripts without spaces, where word boundaries are uncertain, how many of the question's character pairs it contains.
import type { EncoderName, Light } from "../../embed/embed.ts";
import { byScore, type Candidate } from "../candidate.ts";
import { type Bounds, type Encoders, scoreOf, withMissingScores } from "../fuse.ts";
import { toShares } from "./character-pairs.ts";
import { openEnglishScorer, openScorer, type PartScorer } from "./nearest-parts.ts";
import type { PassageSignals } from "./passage-signals.ts";

export interface RescoreOptions {
  readonly text: string;
  readonly encoder: EncoderName;
  readonly bounds: Bounds;
  readonly light: Light | undefined;
  readonly judge: PassageSignals;
}

/** Weight of the character pairs within the word score. */
const PAIRS_WEIGHT = 0.15;

export interface Signals {
  /** 0 to about 1. */
  readonly words: number;
  readonly vector: number | undefined;
  readonly encoders: Encoders;
}

/** Returns the candidates with their final scores, best first. */
export function rescore(pool: readonly Candidate[], options: RescoreOptions): readonly Candidate[] {
  const signals = toSignals(pool, options);
  const rescored = pool.map((candidate, at) => {
    const { words, vector, encoders } = signals[at] as Signals;
    return { ...candidate, score: scoreOf(words, vector, encoders) };
  });
  return rescored.sort(byScore);
}

export function toSignals(pool: readonly Candidate[], options: RescoreOptions): readonly Signals[] {
  const { text, encoder: query, bounds, judge } = options;
  const shareOf = toShares(text, pool);
  const signals = pool.map(({ parts, chunk }, at) => {
    const { lexical, vector } = withMissingScores(parts, bounds);
    const share = shareOf?.(at);
    const words =
      share === undefined ? lexical : (1 - PAIRS_WEIGHT) * lexical + PAIRS_WEIGHT * share;
    return { words, vector, encoders: { query, passage: judge.encoderOf(chunk.text) } };
  });
  const scorer = choosePartScorer(options, shareOf !== undefined);
  return scorer ? withParts(pool, signals, scorer) : signals;
}

/** Only for passages in the question's language, so that the light encoder reads both. */
function choosePartScorer(
  { text, encoder, light, judge }: RescoreOptions,
  isUnspaced: boolean,
): PartScorer | undefined {
  if (light === undefined) return undefined;
  if (encoder === "model") return openEnglishScorer(judge.excessOf);
  return openScorer(text, light, isUnspaced);
}

function withParts(
  pool: readonly Candidate[],
  signals: readonly Signals[],
  { candidates, meanings }: PartScorer,
): readonly Signals[] {
  const read = signals.slice(0, candidates).flatMap(({ vector, encoders }, at) => {
    const { chunk } = pool[at] as Candidate;
    const isRead = encoders.passage === encoders.query && vector !== undefined;
    return isRead ? [{ at, text: chunk.text, vector }] : [];
  });
  const scored = [...signals];
  for (const [number, vector] of meanings(read).entries()) {
    const { at } = read[number] as (typeof read)[number];
    scored[at] = { ...(signals[at] as Signals), vector };
  }
  return scored;
}

// Scores the best candidates again, now with their text: the passage's language, how near its nearest parts are, and in
// scripts without spaces, where word boundaries are uncertain, how many of the question's character pairs it contains.
import type { Light, Reader } from "../../embed/embed.ts";
import { byScore, type Candidate, type ReaderOf } from "../candidate.ts";
import { type Bounds, blend, filled, type Readers, weightsOf } from "../fuse.ts";
import { toShares } from "./character-pairs.ts";
import { type Closer, openEnglish, openSpaced, openUnspaced } from "./nearest-parts.ts";

export interface Look {
  readonly text: string;
  readonly reader: Reader;
  readonly bounds: Bounds;
  readonly light: Light | undefined;
  /** In whose language a passage is. */
  readonly readerOf: ReaderOf;
}

/** Weight of the character pairs within the word score. */
const PAIRS_WEIGHT = 0.15;
// How much of each end is used to detect the language. One end alone may be a code listing in a foreign text, or a list
// of foreign names in an English one.
const LANGUAGE_CHARACTERS = 160;

/** The parts of a score. */
export interface Signals {
  /** 0 to about 1. */
  readonly words: number;
  readonly vector: number | undefined;
  readonly readers: Readers;
}

/** Best first, with their final scores. */
export function lookCloser(pool: readonly Candidate[], look: Look): readonly Candidate[] {
  const signals = toSignals(pool, look);
  const rescored = pool.map((candidate, at) => {
    const { words, vector, readers } = signals[at] as Signals;
    return { ...candidate, score: blend(words, vector, weightsOf(readers)) };
  });
  return rescored.sort(byScore);
}

export function toSignals(pool: readonly Candidate[], look: Look): readonly Signals[] {
  const { text, reader: query, bounds, readerOf } = look;
  const shareOf = toShares(text, pool);
  const signals = pool.map(({ parts, chunk }, at) => {
    const { lexical, vector } = filled(parts, bounds);
    const share = shareOf?.(at);
    const words =
      share === undefined ? lexical : (1 - PAIRS_WEIGHT) * lexical + PAIRS_WEIGHT * share;
    return { words, vector, readers: { query, passage: readerOf(chunk.text) } };
  });
  const closer = toCloser(look, shareOf !== undefined);
  return closer ? withParts(pool, signals, closer) : signals;
}

/** For passages in the question's language, as the light encoder reads both. */
function toCloser({ text, reader, light }: Look, isUnspaced: boolean): Closer | undefined {
  if (light === undefined) return undefined;
  if (reader === "model") return openEnglish(text, light);
  return isUnspaced ? openUnspaced(text, light) : openSpaced(text, light);
}

function withParts(
  pool: readonly Candidate[],
  signals: readonly Signals[],
  { candidates, meanings }: Closer,
): readonly Signals[] {
  const read = signals.slice(0, candidates).flatMap(({ vector, readers }, at) => {
    const { chunk } = pool[at] as Candidate;
    const isRead = readers.passage === readers.query && vector !== undefined;
    return isRead ? [{ at, text: chunk.text, vector }] : [];
  });
  const closer = new Map(meanings(read).map((vector, number) => [read[number]?.at, vector]));
  return signals.map((each, at) => ({ ...each, vector: closer.get(at) ?? each.vector }));
}

/** For one search: passages that are read while the model runs are not judged again. */
export function openReaderOf(light: Light | undefined): ReaderOf {
  const known = new Map<string, Reader>();
  return (text) => {
    const reader = known.get(text) ?? light?.reader(bothEnds(text)) ?? "model";
    known.set(text, reader);
    return reader;
  };
}

function bothEnds(text: string): string {
  if (text.length <= 2 * LANGUAGE_CHARACTERS) return text;
  return `${text.slice(0, LANGUAGE_CHARACTERS)}\n${text.slice(-LANGUAGE_CHARACTERS)}`;
}

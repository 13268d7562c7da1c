// Reads a question and the best passages of a search: which sentence answers, with which words, how likely.
import type { Passage } from "../../domain/passage.ts";
import { UNSPACED } from "../../text/scripts.ts";
import type { Sentence } from "../../text/sentences.ts";
import type { Span } from "../citations.ts";
import {
  type Calibration,
  type CalibrationSigns,
  groupOf,
  type LanguageGroup,
  loadCalibration,
} from "./calibration.ts";
import {
  CONTEXT,
  type Locate,
  MAX_QUESTION_PIECES,
  type PassagePieces,
  toPieces,
} from "./input.ts";
import { loadNetwork, type NetworkOutput, type PieceRows } from "./network.ts";

/** What the reader needs of the light encoder. */
export interface ReaderPieces extends PieceRows {
  readonly locate: Locate;
  /** "model" for English. */
  encoderFor(text: string): "model" | "light";
}

export interface LikelySentence {
  readonly passage: Passage;
  readonly sentence: Sentence;
  /** The sentences of the passage, and which of them this one is. */
  readonly all: readonly Sentence[];
  readonly at: number;
  /** The probability that the answer is here, before calibration. */
  readonly likely: number;
  /** How much of the question it says, by meaning: 0 to 1. */
  readonly said: number;
  /** The likely words of the answer. */
  readonly span: Span;
}

export interface ReaderResult {
  /** The best first. */
  readonly sentences: readonly LikelySentence[];
  /** How sure it is that these sentences answer: a share of right answers, measured on articles it had not seen. */
  probabilityOf(shown: readonly LikelySentence[]): number;
  /** From this probability on, nine in ten answers are right where there is one, in this group of languages. */
  readonly answered: number;
  /** The passages are about what was asked. */
  readonly isNear: boolean;
  /** What the network gives to "no passage answers". */
  readonly none: number;
  /** Numbers that calibration is fitted to. */
  signsOf(shown: readonly LikelySentence[]): CalibrationSigns;
  readonly group: LanguageGroup;
}

export interface Reader {
  read(query: string, passages: readonly Passage[]): Promise<ReaderResult>;
  close(): Promise<void>;
}

/** How many passages are read: more find few answers, and each takes a millisecond or two. */
const READ_PASSAGES = 6;
/**
 * Below this relevance of the best passage nothing is read, because reading takes longer than the search: of 159
 * validation questions below .3 none got an answer, or passages.
 */
const MIN_RELEVANCE = 0.2;

export async function openReader(folder: string, pieces: ReaderPieces): Promise<Reader> {
  const [network, calibration] = await Promise.all([
    loadNetwork(folder, pieces),
    loadCalibration(folder),
  ]);
  return {
    async read(query, found) {
      const asked = pieces.locate(query).pieces.slice(0, MAX_QUESTION_PIECES);
      const passages = found.slice(0, READ_PASSAGES);
      const isUnrelated = (passages[0]?.score ?? 0) < MIN_RELEVANCE;
      if (asked.length === 0 || isUnrelated) return emptyResult(calibration);
      const read = passages.map((passage) => toPieces(passage, pieces.locate));
      const scored = read.map((each, at) => ({ ...each, score: passages[at]?.score ?? 0 }));
      const output = await network.run(asked, scored);
      const sentences = read
        .flatMap((each, at) => toSentences(passages[at] as Passage, each, output, at))
        .sort((a, b) => b.likely - a.likely);
      const asking = { query, pieces: asked.length };
      return judge(asking, sentences, { output, calibration, pieces, passages });
    },
    close: () => network.release(),
  };
}

interface Judged {
  readonly output: NetworkOutput;
  readonly calibration: Calibration;
  readonly pieces: ReaderPieces;
  readonly passages: readonly Passage[];
}

function judge(
  asking: { readonly query: string; readonly pieces: number },
  sentences: readonly LikelySentence[],
  { output: { none }, calibration, pieces, passages }: Judged,
): ReaderResult {
  const top = sentences[0];
  const group = groupOf(asking.query, top?.passage.text ?? "", pieces.encoderFor);
  const scores = passages.map(({ score }) => score);
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const signsOf = (shown: readonly LikelySentence[]): CalibrationSigns => {
    const [first] = shown;
    const score = first?.passage.score ?? 0;
    const likely = shown.reduce((sum, own) => sum + own.likely, 0);
    return {
      likely: Math.min(1, likely),
      none,
      score,
      below: (scores[0] ?? 0) - score,
      isFirst: first?.passage === passages[0],
      mean,
      said: first?.said ?? 0,
      asked: asking.pieces,
      isProse: shown.every(({ sentence }) => isProse(sentence)),
    };
  };
  return {
    sentences,
    none,
    signsOf,
    group,
    probabilityOf: (shown) => calibration.probability(group, signsOf(shown)),
    answered: calibration.answered(group),
    isNear: calibration.isNear(none, passages[0]?.score ?? 0),
  };
}

/**
 * The sentence whose words are marked. The network hesitates between neighbours; the one that says more of the question
 * is then right more often: .82 → .90 (English), .81 → .82 and .82 → .86 (Japanese), .77 → .84 (Korean) of the answers
 * with several sentences of one passage. Powers of .5 to 4 were tried; from 2 on nothing changes.
 */
export function bestOf<T extends Pick<LikelySentence, "likely" | "said">>(
  sentences: readonly T[],
): T | undefined {
  const weightOf = ({ likely, said }: T) => likely * said ** 2;
  return sentences.toSorted((a, b) => weightOf(b) - weightOf(a))[0];
}

const ENDED = /[.!?。！？…]["'”’»)）」』\]*_]*$/u;

const WORDS = /[\p{L}\p{N}]+/gu;
const UNSPACED_LETTER = new RegExp(`[${UNSPACED}]`, "u");

/** A whole sentence, not a line of a form, a label in a picture or a row. "Page No." ends like one and has two words. */
function isProse({ kind, text }: Sentence): boolean {
  if (kind !== "prose" || !ENDED.test(text)) return false;
  return UNSPACED_LETTER.test(text) || (text.match(WORDS)?.length ?? 0) > 2;
}

function emptyResult(calibration: Calibration): ReaderResult {
  const passages = { score: 0, below: 0, isFirst: false, mean: 0 };
  return {
    sentences: [],
    none: 1,
    signsOf: () => ({ ...passages, likely: 0, none: 1, said: 0, asked: 0, isProse: false }),
    group: "other",
    probabilityOf: () => 0,
    answered: calibration.answered("other"),
    isNear: false,
  };
}

function toSentences(
  passage: Passage,
  read: PassagePieces,
  { likely, inside, said }: NetworkOutput,
  number: number,
): readonly LikelySentence[] {
  const sums = new Float64Array(read.sentences.length);
  for (const [at, sentence] of read.sentenceOf.entries()) {
    if (sentence !== CONTEXT) {
      sums[sentence] = (sums[sentence] as number) + (likely[number]?.[at] as number);
    }
  }
  return read.sentences.flatMap((sentence, at): readonly LikelySentence[] => {
    const scores = { likely: likely[number], inside: inside[number] } as SpanScores;
    const span = spanOf(passage.text, read, at, scores);
    if (span === undefined) return [];
    const [first, last] = [read.sentenceOf.indexOf(at), read.sentenceOf.lastIndexOf(at)];
    const own = { likely: sums[at] as number, said: said(number, first, last), span };
    return [{ passage, sentence, all: read.sentences, at, ...own }];
  });
}

interface SpanScores {
  readonly likely: Float32Array;
  readonly inside: Float32Array;
}

const MIN_INSIDE = 0.5;

/** From the likeliest piece of the sentence to both sides, as long as pieces are inside; undefined if it has none. */
function spanOf(
  text: string,
  { sentenceOf, starts, ends }: PassagePieces,
  sentence: number,
  { likely, inside }: SpanScores,
): Span | undefined {
  let best = -1;
  for (const [at, own] of sentenceOf.entries()) {
    if (own !== sentence) continue;
    if (best < 0 || (likely[at] as number) > (likely[best] as number)) best = at;
  }
  if (best < 0) return undefined;
  const isInside = (at: number) =>
    sentenceOf[at] === sentence && (inside[at] as number) >= MIN_INSIDE;
  let [first, last] = [best, best];
  while (isInside(first - 1)) first--;
  while (isInside(last + 1)) last++;
  return toWords(text, { start: starts[first] as number, end: ends[last] as number });
}

const LETTER = /[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Hangul}\p{N}\p{M}'’]/u;
const DIGIT = /\p{N}/u;
const MAX_WORD = 40;

/** A piece may be part of a word or figure. */
function toWords(text: string, { start, end }: Span): Span {
  let [first, last] = [start, end];
  while (start - first < MAX_WORD && isWithinWord(text, first)) first--;
  while (last - end < MAX_WORD && isWithinWord(text, last)) last++;
  return { start: first, end: last };
}

/** Whether this place is between two letters, or within a figure such as 12,000 or 7.42. */
function isWithinWord(text: string, at: number): boolean {
  const [far = "", before = "", after = "", next = ""] = [-2, -1, 0, 1].map((by) => text[at + by]);
  if (LETTER.test(before)) return LETTER.test(after) || isMark(before, after, next);
  return isMark(far, before, after);
}

function isMark(before: string, mark: string, after: string): boolean {
  return (mark === "." || mark === ",") && DIGIT.test(before) && DIGIT.test(after);
}

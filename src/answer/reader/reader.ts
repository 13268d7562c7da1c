// Reads a question and the best passages of a search: which sentence answers, with which words, how likely.
import type { Passage } from "../../domain/passage.ts";
import type { Sentence } from "../../text/sentences.ts";
import type { Span } from "../citations.ts";
import { type Calibration, loadCalibration, type ReadSigns } from "./calibration.ts";
import {
  CONTEXT,
  type Locate,
  MAX_QUESTION_PIECES,
  type PassagePieces,
  toPieces,
} from "./input.ts";
import { groupOf, type LanguageGroup } from "./language-group.ts";
import { loadNetwork, type NetworkOutput, type PieceRows } from "./network.ts";

/** What the reader needs of the light encoder. */
export interface ReaderPieces extends PieceRows {
  readonly locate: Locate;
  /** "model" for English. */
  encoderFor(text: string): "model" | "light";
}

export interface ReadSentence {
  readonly passage: Passage;
  readonly sentence: Sentence;
  /** The sentences of the passage, and which of them this one is. */
  readonly all: readonly Sentence[];
  readonly at: number;
  /** The probability that the answer is here, before calibration. */
  readonly likely: number;
  /** The likely words of the answer. */
  readonly span: Span;
}

export interface Read {
  /** The best first. */
  readonly sentences: readonly ReadSentence[];
  /** How sure it is that these sentences answer: a share of right answers, measured on articles it had not seen. */
  probabilityOf(shown: readonly ReadSentence[]): number;
  /** From this probability on, at least nine in ten answers in this group of languages are right. */
  readonly answered: number;
  /** The passages are about what was asked. */
  readonly isNear: boolean;
  /** Numbers that calibration is fitted to. */
  signsOf(shown: readonly ReadSentence[]): ReadSigns;
  readonly group: LanguageGroup;
}

export interface Reader {
  read(query: string, passages: readonly Passage[]): Promise<Read>;
  close(): Promise<void>;
}

/** How many passages are read: more find few answers, and each takes a millisecond or two. */
const READ_PASSAGES = 6;

export async function openReader(folder: string, pieces: ReaderPieces): Promise<Reader> {
  const [network, calibration] = await Promise.all([
    loadNetwork(folder, pieces),
    loadCalibration(folder),
  ]);
  return {
    async read(query, found) {
      const asked = pieces.locate(query).pieces.slice(0, MAX_QUESTION_PIECES);
      const passages = found.slice(0, READ_PASSAGES);
      if (asked.length === 0 || passages.length === 0) return nothingRead(calibration);
      const read = passages.map((passage) => toPieces(passage, pieces.locate));
      const scored = read.map((each, at) => ({ ...each, score: passages[at]?.score ?? 0 }));
      const output = await network.run(asked, scored);
      const sentences = read
        .flatMap((each, at) => toSentences(passages[at] as Passage, each, output, at))
        .sort((a, b) => b.likely - a.likely);
      return judge(query, sentences, { output, calibration, pieces, passages });
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
  query: string,
  sentences: readonly ReadSentence[],
  { output: { none }, calibration, pieces, passages }: Judged,
): Read {
  const top = sentences[0];
  const group = groupOf(query, top?.passage.text ?? "", pieces.encoderFor);
  const signsOf = (shown: readonly ReadSentence[]): ReadSigns => ({
    likely: Math.min(
      1,
      shown.reduce((sum, { likely }) => sum + likely, 0),
    ),
    none,
    score: shown[0]?.passage.score ?? 0,
    isProse: shown.every(({ sentence }) => isProse(sentence)),
  });
  return {
    sentences,
    signsOf,
    group,
    probabilityOf: (shown) => calibration.probability(group, signsOf(shown)),
    answered: calibration.answered(group),
    isNear: calibration.isNear(none, passages[0]?.score ?? 0),
  };
}

const ENDED = /[.!?。！？…]["'”’»)）」』\]*_]*$/u;

/** A whole sentence, not a line of a form, a label in a picture or a row. */
function isProse({ kind, text }: Sentence): boolean {
  return kind === "prose" && ENDED.test(text);
}

function nothingRead(calibration: Calibration): Read {
  const signs = { likely: 0, none: 1, score: 0, isProse: false };
  return {
    sentences: [],
    signsOf: () => signs,
    group: "other",
    probabilityOf: () => 0,
    answered: calibration.answered("other"),
    isNear: false,
  };
}

function toSentences(
  passage: Passage,
  read: PassagePieces,
  { likely, inside }: NetworkOutput,
  number: number,
): readonly ReadSentence[] {
  const sums = new Float64Array(read.sentences.length);
  for (const [at, sentence] of read.sentenceOf.entries()) {
    if (sentence !== CONTEXT) {
      sums[sentence] = (sums[sentence] as number) + (likely[number]?.[at] as number);
    }
  }
  return read.sentences.flatMap((sentence, at): readonly ReadSentence[] => {
    const own = { likely: likely[number], inside: inside[number] } as SpanScores;
    const span = spanOf(passage.text, read, at, own);
    if (span === undefined) return [];
    return [{ passage, sentence, all: read.sentences, at, likely: sums[at] as number, span }];
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

const LETTER_BEFORE = /[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Hangul}\p{N}\p{M}'’]+$/u;
const LETTER_AFTER = /^[\p{sc=Latin}\p{sc=Cyrillic}\p{sc=Hangul}\p{N}\p{M}'’]+/u;

/** A piece may be part of a word. */
function toWords(text: string, { start, end }: Span): Span {
  const before = LETTER_BEFORE.exec(text.slice(Math.max(0, start - 40), start))?.[0] ?? "";
  const after = LETTER_AFTER.exec(text.slice(end, end + 40))?.[0] ?? "";
  return { start: start - before.length, end: end + after.length };
}

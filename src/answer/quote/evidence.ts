// How well each sentence of the found passages fits the question.
import type { Passage } from "../../domain/passage.ts";
import { rarity } from "../../text/rarity.ts";
import { type Sentence, sentences } from "../../text/sentences.ts";
import { type Word, words } from "../../text/words.ts";
import { addressesModel } from "../model/injection.ts";
import type { Question } from "./question.ts";

/** A passage, read. */
export interface Source {
  readonly passage: Passage;
  readonly lines: readonly Line[];
  /** Every word of the passage and of its titles and headings. */
  readonly keys: ReadonlySet<string>;
  readonly above: ReadonlySet<string>;
}

export interface Line {
  readonly sentence: Sentence;
  readonly words: readonly Word[];
  readonly keys: ReadonlySet<string>;
}

export interface Evidence {
  readonly source: Source;
  /** The source's rank among the passages found. */
  readonly rank: number;
  readonly at: number;
  readonly line: Line;
  /** The weighted share of the question's words in the sentence; only around it; only elsewhere. */
  readonly covered: number;
  readonly near: number;
  readonly far: number;
  /** It has something of the expected shape that the question itself does not say. */
  readonly shaped: boolean;
  readonly score: number;
}

export type Weights = ReadonlyMap<string, number>;

export function read(passage: Passage): Source {
  const lines = sentences(passage.text).map((sentence): Line => {
    const found = words(sentence.text);
    return { sentence, words: found, keys: keysOf(found) };
  });
  const titles = [passage.title ?? "", ...passage.headings, passage.tableHeader ?? ""].join("\n");
  const heads = lines.filter(
    ({ sentence }) => sentence.kind === "head" || sentence.kind === "heading",
  );
  const above = union([keysOf(words(titles)), ...heads.map(({ keys }) => keys)]);
  return { passage, lines, above, keys: union([above, ...lines.map(({ keys }) => keys)]) };
}

/**
 * A word in few of the sources says more than one in all of them: what they share is the topic,
 * which the search has already found. The floor keeps the topic's words from counting nothing.
 */
export function weigh(question: Question, sources: readonly Source[]): Weights {
  const count = sources.length;
  return new Map(
    question.terms.map(({ key }) => {
      const holding = sources.filter(({ keys }) => keys.has(key)).length;
      return [key, 0.3 + rarity(holding, count)];
    }),
  );
}

export function gather(
  question: Question,
  sources: readonly Source[],
  weights: Weights,
): readonly Evidence[] {
  const best = Math.max(1e-6, ...sources.map(({ passage }) => passage.score));
  const found: Evidence[] = [];
  for (const [rank, source] of sources.entries()) {
    for (const [at, line] of source.lines.entries()) {
      if (!isStatement(line.sentence)) continue;
      const shares = share(question, weights, source, at);
      const shaped = hasShape(question, line);
      const score =
        shares.covered +
        0.35 * shares.near +
        (shaped ? 0.1 : 0) +
        0.5 * (source.passage.score / best);
      found.push({ source, rank, at, line, ...shares, shaped, score });
    }
  }
  return found.sort((a, b) => b.score - a.score);
}

function isStatement({ kind, text }: Sentence): boolean {
  return kind !== "heading" && kind !== "head" && !addressesModel(text);
}

function share(question: Question, weights: Weights, source: Source, at: number) {
  const sums = { covered: 0, near: 0, far: 0 };
  let total = 0;
  for (const { key } of question.terms) {
    const weight = weights.get(key) ?? 0;
    total += weight;
    if (source.lines[at]?.keys.has(key)) sums.covered += weight;
    else if (isNear(source, at, key)) sums.near += weight;
    else if (source.keys.has(key)) sums.far += weight;
  }
  return { covered: sums.covered / total, near: sums.near / total, far: sums.far / total };
}

function isNear({ lines, above }: Source, at: number, key: string): boolean {
  return above.has(key) || !!lines[at - 1]?.keys.has(key) || !!lines[at + 1]?.keys.has(key);
}

const MONTH =
  /\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b|[年月日時]/u;
const REASON =
  /\b(?:because|due to|since|so that|in order to|as a result|caus\w+|reason\w*|thus|therefore|to)\b|ため|から|ので|により/iu;

function hasShape({ shape, keys, japanese }: Question, { words: found, sentence }: Line): boolean {
  const fresh = (test: (word: Word) => boolean) =>
    found.some((word) => !keys.has(word.key) && test(word));
  switch (shape) {
    case "number":
      return fresh(({ number }) => number);
    case "time":
      return fresh(({ number, text }) => number && /\d{3}/.test(text)) || MONTH.test(sentence.text);
    case "person":
    case "place":
      // Japanese names have no upper case to know them by.
      return japanese || fresh(({ proper, content }) => proper && content);
    case "reason":
      return REASON.test(sentence.text);
    case "thing":
      return true;
  }
}

function union(sets: readonly ReadonlySet<string>[]): ReadonlySet<string> {
  return new Set(sets.flatMap((set) => [...set]));
}

function keysOf(found: readonly Word[]): ReadonlySet<string> {
  return new Set(found.map(({ key }) => key));
}

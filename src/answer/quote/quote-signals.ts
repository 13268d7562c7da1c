// Signals for and against the best sentence: does it answer the question, or only mention the same things?
import { isJapanese } from "../../text/scripts.ts";
import type { Word } from "../../text/words.ts";
import { opposites } from "../asked/opposites.ts";
import { countDenials, type Question } from "../asked/question.ts";
import { type WordSimilarity, wordCoverage } from "../asked/word-coverage.ts";
import type { QuoteSignals } from "../confidence/signals.ts";
import type { Line } from "./read-passage.ts";
import {
  type QuestionSimilarity,
  type ScoredSentence,
  type TermWeights,
  TYPICAL_COSINE,
} from "./score-sentences.ts";

export interface Grounds {
  readonly weights: TermWeights;
  readonly questionSimilarity?: QuestionSimilarity | undefined;
  readonly wordSimilarity?: WordSimilarity | undefined;
  /** The best sentence of another passage. */
  readonly next?: ScoredSentence | undefined;
}

export function toSignals(
  question: Question,
  scored: ScoredSentence,
  { weights, questionSimilarity, wordSimilarity, next }: Grounds,
): QuoteSignals {
  const { source, line, covered, near, shaped, alike, defines, headed, score } = scored;
  const missing = question.terms.filter(({ key }) => !line.keys.has(key));
  const heaviest = Math.max(...weights.values());
  const absent = (list: readonly { key: string }[]) =>
    list.filter(({ key }) => !source.keys.has(key)).length;
  const opposed = missing.some(({ key }) => opposites(key).some((other) => line.keys.has(other)));
  return {
    covered,
    near,
    rarestMissing: Math.max(0, ...missing.map(({ key }) => weights.get(key) ?? 0)) / heaviest,
    missingNames: Math.min(1, absent(question.terms.filter(({ proper }) => proper)) / 2),
    missingNumbers: missing.some(({ text }) => /\d/.test(text)) ? 1 : 0,
    denied: question.denials > countDenials(line.sentence.text) ? 1 : 0,
    opposed: opposed ? 1 : 0,
    unshaped: shaped ? 0 : 1,
    unmeasured: !shaped && question.shape === "number" ? 1 : 0,
    agreeing: Math.min(1, countAgreeing(question, line) / 8),
    alike,
    topic: questionSimilarity?.(source.passage.text) ?? TYPICAL_COSINE,
    ahead: Math.max(0, Math.min(1, score - (next?.score ?? 0))),
    defines: defines ? 1 : 0,
    fragment: isFragment(line) ? 1 : 0,
    headed,
    ...toNaming(question, scored, { weights, wordSimilarity }),
  };
}

/** Whether the sentence, the heading above it or its column's name says what is asked for. */
function toNaming(
  question: Question,
  { source, line }: ScoredSentence,
  { weights, wordSimilarity }: Grounds,
) {
  const { asked, asksAttribute, terms } = question;
  const { sentence, caption } = line;
  const above = sentence.kind === "row" ? source.above : (caption?.keys ?? new Set<string>());
  const sentenceWords = { ...line, text: sentence.text, above };
  const weigh = (all: readonly Word[]) => sum(all.map(({ key }) => weights.get(key) ?? 0));
  const openOf = (all: readonly Word[]) => {
    const named = wordCoverage(all, sentenceWords, wordSimilarity);
    const open = all.map(({ key }, at) => (weights.get(key) ?? 0) * (1 - (named[at] ?? 0)));
    return sum(open) / (weigh(all) || 1);
  };
  const subject = terms.filter(({ key }) => !asked.some((word) => word.key === key));
  const unheld = subject.filter(({ key }) => !source.keys.has(key));
  const [unnamed, uncovered] = [openOf(asked), openOf(terms)];
  const strange = weigh(unheld) / (weigh(subject) || 1);
  return {
    unnamed,
    unsaid: asksAttribute ? unnamed : 0,
    unlabelled: sentence.kind === "row" ? Math.max(unnamed, strange) : 0,
    uncovered,
    thin: countAgreeing(question, line) <= 1 ? Math.max(uncovered, strange) : 0,
  };
}

function sum(all: readonly number[]): number {
  return all.reduce((one, other) => one + other, 0);
}

/** A name of several words ("Radiation Exposure Compensation Act", 全国農業高等学校長協会) counts once. */
function countAgreeing({ text, terms }: Question, { keys }: Line): number {
  return terms.filter((term, at) => {
    const before = terms[at - 1];
    if (!keys.has(term.key)) return false;
    return !before || !keys.has(before.key) || !isOneName(text, before, term);
  }).length;
}

function isOneName(text: string, one: Word, next: Word): boolean {
  const gap = text.slice(one.end, next.start);
  return isJapanese(next.text) ? gap === "" : one.proper && next.proper && gap === " ";
}

function isFragment({ sentence: { kind, text }, words }: Line): boolean {
  if (kind !== "prose" || /[.!?。！？]["'”’)）」』\]]*$|[:：]/u.test(text)) return false;
  return words.length > 2 && words.every(({ content }) => content);
}

// Chooses which of the scored sentences are quoted, or none if the best one is not to the point.
import { isJapanese } from "../../text/scripts.ts";
import type { Question } from "../asked/question.ts";
import type { QuoteSignals } from "../confidence/signals.ts";
import type { ScoredSentence } from "./score-sentences.ts";
import { holdsNumber } from "./statement.ts";

/** A fourth sentence made answers 40% longer without containing the gold answer more often. */
const MAX_SENTENCES = 3;
/** Sentences that score below this share of the best one are left out. */
const LEAST_OF_BEST = 0.8;
/** If the heading covers at least this share of the question, the text below it need not repeat its words. */
const LEAST_HEADED = 0.4;
/** At most eight agreeing words are counted; this is one of them: a name or a single word. */
const ONE_AGREES = 1 / 8;
/** Together the two limits remove 16 of 62 answers to unanswerable questions, and 15 of 903 right answers. */
const MOST_UNNAMED = 0.75;
const MOST_UNLABELLED = 0.5;

/**
 * "How many" is answered by a number, not by the sentence with most of the words. A passage without
 * the question's year or model is about another one.
 */
export function canAnswer(question: Question, { source, line }: ScoredSentence): boolean {
  if (question.measured && !holdsNumber(question, line)) return false;
  return question.terms.every(({ text, key }) => !/\d/.test(text) || source.keys.has(key));
}

/**
 * "Who painted the bridge?": the sentence that names the bridge comes first, the one about painting
 * close behind.
 */
export function fromFirstToThePoint(
  able: readonly ScoredSentence[],
  signalsOf: (each: ScoredSentence) => QuoteSignals,
): readonly ScoredSentence[] {
  const least = (able[0]?.score ?? 0) * LEAST_OF_BEST;
  const first = able
    .slice(0, MAX_SENTENCES)
    .findIndex((each) => each.score >= least && !isBesideThePoint(signalsOf(each)));
  return able.slice(Math.max(0, first));
}

/** "Who invented Google Docs?" with a sentence or row that shares the name but has no word for inventing. */
function isBesideThePoint({ agreeing, unnamed, unlabelled }: QuoteSignals): boolean {
  return (agreeing <= ONE_AGREES && unnamed > MOST_UNNAMED) || unlabelled > MOST_UNLABELLED;
}

/** Loose words do not define anything. */
function isLooseWords({ subject }: Question, { fragment, defines }: QuoteSignals): boolean {
  return subject !== "" && fragment === 1 && defines === 0;
}

/** Whether the best sentence may be quoted at all. */
export function isToThePoint(question: Question, signals: QuoteSignals): boolean {
  return !isLooseWords(question, signals) && !isBesideThePoint(signals);
}

/** Without a common word and without vectors there is nothing to compare. */
export function isAbout({ agreeing, headed }: QuoteSignals): boolean {
  return agreeing > 0 || headed >= LEAST_HEADED;
}

/** The best sentences that say the same kind of thing as the first; `able` is sorted by score. */
export function chooseSentences(
  question: Question,
  able: readonly ScoredSentence[],
): readonly ScoredSentence[] {
  // If the best sentence has the question's number, a sentence without it is about another year or model.
  const numbers = question.terms.filter(
    ({ text, key }) => /\d/.test(text) && able[0]?.line.keys.has(key),
  );
  const lacksNumber = ({ line }: ScoredSentence) => numbers.some(({ key }) => !line.keys.has(key));
  // A quote in two languages is hard to read, and the second language is rarely about the same thing.
  const japanese = isJapanese(able[0]?.line.sentence.text ?? "");
  const isOther = ({ line }: ScoredSentence) => isJapanese(line.sentence.text) !== japanese;
  const least = (able[0]?.score ?? 0) * LEAST_OF_BEST;
  const chosen: ScoredSentence[] = [];
  for (const each of able) {
    if (chosen.length === MAX_SENTENCES || each.score < least) break;
    const repeated = chosen.some(({ line }) => line.sentence.text === each.line.sentence.text);
    if (!repeated && !lacksNumber(each) && !isOther(each)) chosen.push(each);
  }
  return chosen;
}

// Answers without a model, by quoting the best sentences of the found passages.
import type { Passage } from "../../domain/passage.ts";
import { isJapanese } from "../../text/scripts.ts";
import { type Question, readQuestion } from "../asked/question.ts";
import type { WordSimilarity } from "../asked/word-coverage.ts";
import type { Claim } from "../citations.ts";
import type { QuoteSignals } from "../confidence/signals.ts";
import type { ReadingCache } from "../reading-cache.ts";
import {
  canAnswer,
  chooseSentences,
  fromFirstToThePoint,
  isAbout,
  isToThePoint,
} from "./choose-sentences.ts";
import { completeQuote } from "./complete-quote.ts";
import { findNamedPassage, isAnotherFileMeant } from "./named-files.ts";
import { toClaims, toClosest } from "./quote-claims.ts";
import { type Grounds, toSignals } from "./quote-signals.ts";
import { questionWordsIn, readPassage } from "./read-passage.ts";
import {
  type QuestionSimilarity,
  type ScoredSentence,
  scoreSentences,
  weighTerms,
} from "./score-sentences.ts";
import { withoutSuperseded } from "./superseded.ts";

export interface Quote {
  readonly claims: readonly Claim[];
  /** The best sentence of each passage. */
  readonly closest: readonly Claim[];
  /** The first later passage whose file name is in the question, if no passage read so far has such a name. */
  readonly naming: Passage | undefined;
  readonly signals: QuoteSignals;
  /** Question and quote are in different scripts, so only their meaning can be compared. */
  readonly isOtherLanguage: boolean;
}

export interface QuoteRequest {
  /** May contain more than `maxResults` passages; the rest only show which words are common. */
  readonly found: readonly Passage[];
  readonly maxResults: number;
  readonly questionSimilarity?: QuestionSimilarity | undefined;
  readonly wordSimilarity?: WordSimilarity | undefined;
  readonly cache: ReadingCache;
}

export function quote(query: string, request: QuoteRequest): Quote | undefined {
  const question = readQuestion(query);
  const { found, maxResults, questionSimilarity, wordSimilarity, cache } = request;
  const sources = found
    .slice(0, maxResults)
    .map((passage) => ({ ...cache.passage(passage, "sentences", readPassage), passage }));
  const others = found.slice(maxResults).map((passage) => questionWordsIn(question, passage));
  const weights = weighTerms(question, [...sources.map(({ keys }) => keys), ...others]);
  const scored = scoreSentences(question, sources, { weights, questionSimilarity });
  const signalsOf = openSignals(question, scored, { weights, questionSimilarity, wordSimilarity });
  const able = fromFirstToThePoint(
    withoutSuperseded(
      question,
      scored.filter((each) => canAnswer(question, each)),
    ),
    signalsOf,
  );
  const best = able[0] ?? scored[0];
  if (!best) return undefined;
  const signals = signalsOf(best);
  const isOtherLanguage = isJapanese(query) !== isJapanese(best.line.sentence.text);
  const chosen =
    (isAbout(signals) || isOtherLanguage) &&
    !isAnotherFileMeant(question, best, found) &&
    isToThePoint(question, signals)
      ? completeQuote(question, chooseSentences(question, able), scored)
      : [];
  return {
    claims: toClaims(chosen),
    closest: toClosest(scored),
    naming: findNamedPassage(question, sources, found.slice(maxResults)),
    signals,
    isOtherLanguage,
  };
}

/** Each sentence's signals, computed once. */
function openSignals(question: Question, scored: readonly ScoredSentence[], grounds: Grounds) {
  const known = new Map<ScoredSentence, QuoteSignals>();
  return (each: ScoredSentence): QuoteSignals => {
    const next = scored.find(({ source }) => source !== each.source);
    const signals = known.get(each) ?? toSignals(question, each, { ...grounds, next });
    known.set(each, signals);
    return signals;
  };
}

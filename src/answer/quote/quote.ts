// Answers without a model: the sentences of the found passages that answer, word for word.
import type { Passage } from "../../domain/passage.ts";
import type { AnswerOutcome } from "../answer.ts";
import { type Claim, cite } from "../citations.ts";
import { type Evidence, gather, read, weigh } from "./evidence.ts";
import { type Question, readQuestion } from "./question.ts";
import { refuse } from "./refusal.ts";
import { isSupported, toSignals } from "./support.ts";
import { toWording } from "./wording.ts";

/** A fourth made answers two fifths longer and held the gold answer no more often. */
const MAX_SENTENCES = 3;
const MAX_OF_ONE_PASSAGE = 2;
/** A sentence that fits much worse than the best one is left out. */
const LEAST_OF_BEST = 0.7;
/** A passage whose best sentence fits half as well is worth reading, though not worth quoting. */
const LEAST_TO_CITE = 0.5;

/** `found` may hold more than `maxResults` passages: the rest only shows which words are common. */
export function answerExtractively(
  query: string,
  found: readonly Passage[],
  maxResults: number,
): AnswerOutcome {
  const question = readQuestion(query);
  const { evidence, signals } = assess(question, found, maxResults);
  if (!signals || !isSupported(signals)) return refuse(query, "extractive");
  const chosen = choose(question, evidence);
  const { answer, citations } = cite(
    inOrder(chosen).map(toClaim),
    worthReading(evidence, chosen).map(toClaim),
  );
  return { answer, citations, grounded: true, by: "extractive" };
}

/** The sentences, best first, and what speaks for and against the best one. */
export function assess(question: Question, found: readonly Passage[], maxResults: number) {
  const pool = found.map(read);
  const sources = pool.slice(0, maxResults);
  const weights = weigh(question, pool);
  const evidence = gather(question, sources, weights);
  const [best] = evidence;
  return {
    evidence,
    signals: best && toSignals(question, best, { weights, found: found.slice(0, maxResults) }),
  };
}

function choose(question: Question, evidence: readonly Evidence[]): readonly Evidence[] {
  // Where the best sentence has the question's number, one without it speaks of another year or model.
  const numbers = question.terms.filter(
    ({ text, key }) => /\d/.test(text) && evidence[0]?.line.keys.has(key),
  );
  const lacksNumber = ({ line }: Evidence) => numbers.some(({ key }) => !line.keys.has(key));
  const least = (evidence[0]?.score ?? 0) * LEAST_OF_BEST;
  const chosen: Evidence[] = [];
  for (const each of evidence) {
    if (chosen.length === MAX_SENTENCES || each.score < least) break;
    const same = chosen.filter(({ source }) => source === each.source).length;
    const repeated = chosen.some(({ line }) => line.sentence.text === each.line.sentence.text);
    if (same < MAX_OF_ONE_PASSAGE && !repeated && !lacksNumber(each)) chosen.push(each);
  }
  return chosen;
}

/** The best sentence of each passage that the answer does not quote. */
function worthReading(
  evidence: readonly Evidence[],
  chosen: readonly Evidence[],
): readonly Evidence[] {
  const least = (evidence[0]?.score ?? 0) * LEAST_TO_CITE;
  const seen = new Set(chosen.map(({ source }) => source));
  return evidence.filter(({ source, score }) => {
    if (score < least || seen.has(source)) return false;
    seen.add(source);
    return true;
  });
}

/** The passage with the best sentence first; within a passage as it is written. */
function inOrder(chosen: readonly Evidence[]): readonly Evidence[] {
  const order = [...new Set(chosen.map(({ source }) => source))];
  return chosen.toSorted(
    (a, b) => order.indexOf(a.source) - order.indexOf(b.source) || a.at - b.at,
  );
}

function toClaim({ source, line }: Evidence): Claim {
  const { start, end } = line.sentence;
  const text = toWording(source, line);
  const ownLine = line.sentence.kind === "row" || /^(?:[-*+•・]|\d{1,3}[.)])\s/u.test(text);
  return { text, passage: source.passage, spans: [{ start, end }], ownLine };
}

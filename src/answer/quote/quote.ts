// Answers without a model, by quoting the best sentences of the found passages.
import type { Passage } from "../../domain/passage.ts";
import { isJapanese } from "../../text/scripts.ts";
import { type Word, words } from "../../text/words.ts";
import type { Kinship } from "../asked/named.ts";
import type { Claim } from "../citations.ts";
import type { QuoteSignals } from "../confidence/signals.ts";
import type { Memory } from "../memory.ts";
import { type Evidence, gather, type Likeness, weigh } from "./evidence.ts";
import { type Question, readQuestion } from "./question.ts";
import { glance, type Line, readPassage, type Source } from "./read-passage.ts";
import { holdsNumber, isStatement } from "./statement.ts";
import { type Grounds, toSignals } from "./support.ts";
import { toWording, unmark } from "./wording.ts";

/** A fourth sentence made answers 40% longer without containing the gold answer more often. */
const MAX_SENTENCES = 3;
/** Sentences that score below this share of the best one are left out. */
const LEAST_OF_BEST = 0.8;
/** From this share on, the heading covers the question and the text below it need not repeat its words. */
const LEAST_HEADED = 0.4;
/** One of the eight words that are counted at most: a name, or a single word. */
const ONE_AGREES = 1 / 8;
/** With both limits 16 of 62 answers to questions that have none are gone, and 15 of 903 right ones. */
const MOST_UNNAMED = 0.75;
const MOST_UNLABELLED = 0.5;

export interface Quote {
  readonly claims: readonly Claim[];
  /** The best sentence of each passage. */
  readonly closest: readonly Claim[];
  /** The first later passage whose file name is in the question, if none of the passages read has one. */
  readonly naming: Passage | undefined;
  readonly signals: QuoteSignals;
  /** Question and quote are in different scripts, so only their meaning can be compared. */
  readonly isOtherLanguage: boolean;
}

export interface QuoteRequest {
  /** May contain more than `maxResults` passages; the rest only shows which words are common. */
  readonly found: readonly Passage[];
  readonly maxResults: number;
  readonly likeness?: Likeness | undefined;
  readonly kinship?: Kinship | undefined;
  readonly memory: Memory;
}

export function quote(query: string, request: QuoteRequest): Quote | undefined {
  const question = readQuestion(query);
  const { found, maxResults, likeness, kinship, memory } = request;
  const sources = found
    .slice(0, maxResults)
    .map((passage) => ({ ...memory.passage(passage, "sentences", readPassage), passage }));
  const others = found.slice(maxResults).map((passage) => glance(question, passage));
  const weights = weigh(question, [...sources.map(({ keys }) => keys), ...others]);
  const evidence = gather(question, sources, { weights, likeness });
  const signalsOf = openSignals(question, evidence, { weights, likeness, kinship });
  const able = withoutAside(
    evidence.filter((each) => isAble(question, each)),
    signalsOf,
  );
  const best = able[0] ?? evidence[0];
  if (!best) return undefined;
  const signals = signalsOf(best);
  const isOtherLanguage = isJapanese(query) !== isJapanese(best.line.sentence.text);
  const chosen =
    (isAbout(signals) || isOtherLanguage) &&
    !isElsewhere(question, best, found) &&
    !isLoose(question, signals) &&
    !isAside(signals)
      ? withWhole(question, choose(question, able), evidence)
      : [];
  const closest = [...new Map(evidence.toReversed().map((each) => [each.source, each])).values()];
  return {
    claims: inOrder(chosen).map(toClaim),
    closest: closest.map((each) => toClaim(each)),
    naming: findNaming(question, sources, found.slice(maxResults)),
    signals,
    isOtherLanguage,
  };
}

/**
 * "How many" is answered by a number, and not by the sentence that has most of the words. A passage that nowhere has
 * the question's year or model is about another one.
 */
function isAble(question: Question, { source, line }: Evidence): boolean {
  if (question.measured && !holdsNumber(question, line)) return false;
  return question.terms.every(({ text, key }) => !/\d/.test(text) || source.keys.has(key));
}

/** With no word in common and no vectors to compare there is nothing to quote. */
function isAbout({ agreeing, headed }: QuoteSignals): boolean {
  return agreeing > 0 || headed >= LEAST_HEADED;
}

/** Each sentence's signals, computed once. */
function openSignals(question: Question, evidence: readonly Evidence[], grounds: Grounds) {
  const known = new Map<Evidence, QuoteSignals>();
  return (each: Evidence): QuoteSignals => {
    const next = evidence.find(({ source }) => source !== each.source);
    const signals = known.get(each) ?? toSignals(question, each, { ...grounds, next });
    known.set(each, signals);
    return signals;
  };
}

/** "Who painted the bridge?": the sentence that names the bridge comes first, the one on painting close behind. */
function withoutAside(
  able: readonly Evidence[],
  signalsOf: (each: Evidence) => QuoteSignals,
): readonly Evidence[] {
  const least = (able[0]?.score ?? 0) * LEAST_OF_BEST;
  const first = able
    .slice(0, MAX_SENTENCES)
    .findIndex((each) => each.score >= least && !isAside(signalsOf(each)));
  return able.slice(Math.max(0, first));
}

/** "Who invented Google Docs?" and a sentence that shares the name, and has no word for inventing; or such a row. */
function isAside({ agreeing, unnamed, unlabelled }: QuoteSignals): boolean {
  return (agreeing <= ONE_AGREES && unnamed > MOST_UNNAMED) || unlabelled > MOST_UNLABELLED;
}

/** Loose words do not define anything. */
function isLoose({ subject }: Question, { fragment, defines }: QuoteSignals): boolean {
  return subject !== "" && fragment === 1 && defines === 0;
}

/** The passage has none of the question's names, and another one is called like that: that one is meant. */
function isElsewhere(
  { terms }: Question,
  { source: { passage, keys } }: Evidence,
  found: readonly Passage[],
): boolean {
  const names = terms.filter(({ proper }) => proper);
  const isNamed = ({ filename }: Passage) =>
    words(filename.replaceAll(/[-_.]/g, " ")).some(({ key }) => hasKey(names, key));
  if (names.length === 0 || names.some(({ key }) => keys.has(key)) || isNamed(passage))
    return false;
  return found.some(isNamed);
}

/** A picture's text may not contain its subject, but its name may: "ja-rpo-rto.png" for a question about RPO. */
function findNaming(
  { terms }: Question,
  sources: readonly Source[],
  others: readonly Passage[],
): Passage | undefined {
  const missing = terms.filter(
    ({ proper, key }) => proper && !sources.some(({ keys }) => keys.has(key)),
  );
  if (missing.length === 0) return undefined;
  const isNamed = (filename: string) => words(filename).some(({ key }) => hasKey(missing, key));
  return sources.some(({ passage }) => isNamed(passage.filename))
    ? undefined
    : others.find(({ filename }) => isNamed(filename));
}

function hasKey(terms: readonly Word[], key: string): boolean {
  return terms.some((term) => term.key === key);
}

function choose(question: Question, evidence: readonly Evidence[]): readonly Evidence[] {
  // If the best sentence has the question's number, a sentence without it is about another year or model.
  const numbers = question.terms.filter(
    ({ text, key }) => /\d/.test(text) && evidence[0]?.line.keys.has(key),
  );
  const lacksNumber = ({ line }: Evidence) => numbers.some(({ key }) => !line.keys.has(key));
  // A quote of two languages is hard to read, and the second one is rarely on the same thing.
  const japanese = isJapanese(evidence[0]?.line.sentence.text ?? "");
  const isOther = ({ line }: Evidence) => isJapanese(line.sentence.text) !== japanese;
  const least = (evidence[0]?.score ?? 0) * LEAST_OF_BEST;
  const chosen: Evidence[] = [];
  for (const each of evidence) {
    if (chosen.length === MAX_SENTENCES || each.score < least) break;
    const repeated = chosen.some(({ line }) => line.sentence.text === each.line.sentence.text);
    if (!repeated && !lacksNumber(each) && !isOther(each)) chosen.push(each);
  }
  return chosen;
}

const LEADS_TO_CODE = /[:：]$|\b(?:command|following)\b|次の|以下/iu;
/** A list comes next, although the sentence ends in a full stop. */
const ANNOUNCES = /\b(?:the following|as follows|these steps)\b|次の|以下の|下記の/iu;
const STEP = /^\d{1,2}[.)]\s/;
const ITEM = /^(?:[-*+•・]|\d{1,3}[.)])\s|^[(（][\p{N}\p{Script=Katakana}]{1,3}[)）]/u;
const LONGEST_ANNOUNCED = 1_200;
const MOST_STEPS = 8;

/** Extends the quote: "Run this command:" is useless without the command, and so is the first of five steps. */
function withWhole(
  { procedure }: Question,
  chosen: readonly Evidence[],
  evidence: readonly Evidence[],
): readonly Evidence[] {
  const more = chosen.flatMap((each) => [
    ...(procedure ? [...codeBelow(each, evidence), ...stepsFrom(each, evidence)] : []),
    ...announced(each),
  ]);
  const isNew = (each: Evidence, at: number, all: readonly Evidence[]) =>
    all.findIndex(({ source, at: line }) => source === each.source && line === each.at) === at;
  return [...chosen, ...more].filter(isNew);
}

/** After a colon, includes what follows: code, the items of a list or one sentence. */
function announced(from: Evidence): readonly Evidence[] {
  const { source, at, line } = from;
  const { text, kind } = line.sentence;
  const isOpen = /[:：]$/u.test(text);
  if (kind !== "prose" || !(isOpen || ANNOUNCES.test(text))) return [];
  const below = source.lines.slice(at + 1, at + 1 + MOST_STEPS);
  const [next] = below;
  if (!next || !isStatement(next) || next.sentence.kind === "row") return [];
  const isItem = ({ sentence }: Line) => sentence.kind === "prose" && ITEM.test(sentence.text);
  const end = below.findIndex((each) => !isItem(each) || !isStatement(each));
  const items = below.slice(0, end < 0 ? below.length : end);
  if (items.length === 0 && !isOpen) return [];
  const lines = items.length > 0 ? items : [next];
  if (lines.some(({ sentence }) => sentence.text.length > LONGEST_ANNOUNCED)) return [];
  return lines.map((each, by) => ({ ...from, line: each, at: at + 1 + by }));
}

function below({ source, at }: Evidence, by: number, evidence: readonly Evidence[]) {
  return evidence.find((each) => each.source === source && each.at === at + by);
}

function codeBelow(from: Evidence, evidence: readonly Evidence[]): readonly Evidence[] {
  const [next, second] = [below(from, 1, evidence), below(from, 2, evidence)];
  if (next?.line.sentence.kind === "code") return [next];
  // "This is lost. However, you can try this:", followed by the command.
  const leads = next && LEADS_TO_CODE.test(next.line.sentence.text);
  return leads && second?.line.sentence.kind === "code" ? [next, second] : [];
}

function stepsFrom(first: Evidence, evidence: readonly Evidence[]): readonly Evidence[] {
  const steps: Evidence[] = [];
  for (let by = 1; by < MOST_STEPS && STEP.test(first.line.sentence.text); by++) {
    const next = below(first, by, evidence);
    if (!next || !STEP.test(next.line.sentence.text)) break;
    steps.push(next);
  }
  return steps;
}

/** Orders passages by their best sentence, and sentences within a passage as written. */
function inOrder(chosen: readonly Evidence[]): readonly Evidence[] {
  const order = [...new Set(chosen.map(({ source }) => source))];
  return chosen.toSorted(
    (a, b) => order.indexOf(a.source) - order.indexOf(b.source) || a.at - b.at,
  );
}

function toClaim({ source, line }: Evidence, at = 0, all: readonly Evidence[] = []): Claim {
  const { start, end, kind, text } = line.sentence;
  const isRow = kind === "row";
  const ownLine = isRow || kind === "code" || ITEM.test(text);
  const said = all.slice(0, at).some((each) => each.line.under === line.under);
  // A line above a table is its caption; only a line explained by a sentence is a term.
  const explains = !isRow && kind !== "code" && !said;
  const term = explains && line.under?.kind === "term" ? line.under : undefined;
  const spans = [...(term?.span ? [term.span] : []), { start, end }];
  const wording = toWording(source, line);
  return {
    text: term ? `${unmark(term.text)}: ${wording}` : wording,
    passage: source.passage,
    spans,
    ownLine: ownLine || term !== undefined,
    isRow,
  };
}

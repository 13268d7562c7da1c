// Adds what a quoted sentence is incomplete without: the code, the steps or the list that it announces.
import type { Question } from "../asked/question.ts";
import type { Line } from "./read-passage.ts";
import type { ScoredSentence } from "./score-sentences.ts";
import { isStatement } from "./statement.ts";
import { isContinued } from "./superseded.ts";

const LEADS_TO_CODE = /[:：]$|\b(?:command|following)\b|次の|以下/iu;
/** A list follows, although the sentence ends with a full stop. */
const ANNOUNCES = /\b(?:the following|as follows|these steps)\b|次の|以下の|下記の/iu;
const STEP = /^\d{1,2}[.)]\s/;
export const ITEM = /^(?:[-*+•・]|\d{1,3}[.)])\s|^[(（][\p{N}\p{Script=Katakana}]{1,3}[)）]/u;
const LONGEST_ANNOUNCED = 1_200;
const MOST_STEPS = 8;

/** Extends the quote: "Run this command:" is useless without the command, and so is the first of five steps. */
export function completeQuote(
  { procedure }: Question,
  chosen: readonly ScoredSentence[],
  scored: readonly ScoredSentence[],
): readonly ScoredSentence[] {
  const more = chosen.flatMap((each) => [
    ...(procedure ? [...codeBelow(each, scored), ...stepsFrom(each, scored)] : []),
    ...announcedBy(each),
    ...replacementBelow(each),
  ]);
  const isNew = (each: ScoredSentence, at: number, all: readonly ScoredSentence[]) =>
    all.findIndex(({ source, at: line }) => source === each.source && line === each.at) === at;
  return [...chosen, ...more].filter(isNew);
}

/** After a colon, includes what follows: code, the items of a list or one sentence. */
function announcedBy(from: ScoredSentence): readonly ScoredSentence[] {
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

/** If the sentence says what was true before, finds what is true now. */
function replacementBelow(from: ScoredSentence): readonly ScoredSentence[] {
  const { source, at } = from;
  const line = source.lines[at + 1];
  if (!line || !isStatement(line) || !isContinued(from.line, line)) return [];
  return [{ ...from, line, at: at + 1 }];
}

function below({ source, at }: ScoredSentence, by: number, scored: readonly ScoredSentence[]) {
  return scored.find((each) => each.source === source && each.at === at + by);
}

function codeBelow(
  from: ScoredSentence,
  scored: readonly ScoredSentence[],
): readonly ScoredSentence[] {
  const [next, second] = [below(from, 1, scored), below(from, 2, scored)];
  if (next?.line.sentence.kind === "code") return [next];
  // "This is lost. However, you can try this:", followed by the command.
  const leads = next && LEADS_TO_CODE.test(next.line.sentence.text);
  return leads && second?.line.sentence.kind === "code" ? [next, second] : [];
}

function stepsFrom(
  first: ScoredSentence,
  scored: readonly ScoredSentence[],
): readonly ScoredSentence[] {
  const steps: ScoredSentence[] = [];
  for (let by = 1; by < MOST_STEPS && STEP.test(first.line.sentence.text); by++) {
    const next = below(first, by, scored);
    if (!next || !STEP.test(next.line.sentence.text)) break;
    steps.push(next);
  }
  return steps;
}

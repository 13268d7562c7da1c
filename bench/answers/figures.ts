// Figures of a set: what is shown, and how much of it is right.
import type { Run } from "./ask.ts";

const isShown = ({ outcome }: Run) => outcome.outcome === "answered";
const isRight = (run: Run) => isShown(run) && run.item.holds(run.outcome.answer);

export interface Figures {
  readonly questions: number;
  readonly gold: number;
  readonly rightOfShown: number;
  readonly articleAbsentShown: number;
  readonly paragraphAbsentShown: number;
  readonly rightOfAllShown: number;
  readonly goldInCitations: number;
  readonly nothing: number;
  readonly searchMs: number;
  readonly withAnswerMs: number;
}

export function figuresOf(runs: readonly Run[]): Figures {
  const at = (where: Run["item"]["where"]) => runs.filter(({ item }) => item.where === where);
  const present = at("present");
  return {
    questions: runs.length,
    gold: shareOf(present, isRight),
    rightOfShown: shareOf(present.filter(isShown), isRight),
    articleAbsentShown: shareOf(at("article absent"), isShown),
    paragraphAbsentShown: shareOf(at("paragraph absent"), isShown),
    rightOfAllShown: shareOf(runs.filter(isShown), isRight),
    goldInCitations: shareOf(present, ({ item, outcome }) =>
      outcome.citations.some(({ content }) => item.holds(content)),
    ),
    nothing: shareOf(runs, ({ outcome }) => outcome.outcome === "nothing"),
    searchMs: median(runs.map(({ searchMs }) => searchMs)),
    withAnswerMs: median(runs.map(({ searchMs, answerMs }) => searchMs + answerMs)),
  };
}

function shareOf<Each>(items: readonly Each[], test: (item: Each) => boolean): number {
  return items.length === 0
    ? Number.NaN
    : Number((items.filter(test).length / items.length).toFixed(3));
}

function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return Number((sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(1));
}

// Turns the chosen sentences into statements with the spans that they quote.
import type { Claim } from "../citations.ts";
import { ITEM } from "./complete-quote.ts";
import type { ScoredSentence } from "./score-sentences.ts";
import { toWording, unmark } from "./wording.ts";

export function toClaims(chosen: readonly ScoredSentence[]): readonly Claim[] {
  return inReadingOrder(chosen).map(toClaim);
}

/** The best sentence of each passage, as a separate statement. */
export function toClosest(scored: readonly ScoredSentence[]): readonly Claim[] {
  const best = new Map(scored.toReversed().map((each) => [each.source, each]));
  return [...best.values()].map((each) => toClaim(each, 0, []));
}

/** Orders passages by their best sentence, and sentences within a passage as written. */
function inReadingOrder(chosen: readonly ScoredSentence[]): readonly ScoredSentence[] {
  const order = [...new Set(chosen.map(({ source }) => source))];
  return chosen.toSorted(
    (a, b) => order.indexOf(a.source) - order.indexOf(b.source) || a.at - b.at,
  );
}

/** A term is named once, before the first sentence that explains it. */
function toClaim(
  { source, line }: ScoredSentence,
  at: number,
  all: readonly ScoredSentence[],
): Claim {
  const { start, end, kind, text } = line.sentence;
  const isRow = kind === "row";
  const ownLine = isRow || kind === "code" || ITEM.test(text);
  const said = all.slice(0, at).some((each) => each.line.caption === line.caption);
  // A line above a table is its caption; only a line explained by a sentence is a term.
  const explains = !isRow && kind !== "code" && !said;
  const term = explains && line.caption?.kind === "term" ? line.caption : undefined;
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

// How many of a question's character pairs a passage contains, for scripts without spaces, whose word boundaries are
// uncertain.
import { UNSPACED } from "../../text/scripts.ts";
import { type Candidate, RESCORED } from "../candidate.ts";

function wholeText({ chunk: { document, headings, text } }: Candidate): string {
  return [document.title ?? "", ...headings, text].join("\n").normalize("NFKC");
}

/**
 * By a candidate's number: the share of the question's character pairs that it contains, weighted by rarity. Undefined
 * if the question has none.
 */
export function toShares(
  question: string,
  pool: readonly Candidate[],
): ((number: number) => number) | undefined {
  const pairs = [...characterPairs(question.normalize("NFKC"))];
  if (pairs.length === 0) return undefined;
  const held = pool.map((candidate) => {
    const text = wholeText(candidate);
    return pairs.map((pair) => text.includes(pair));
  });
  // The best candidates show how common a pair is.
  const judged = held.slice(0, RESCORED);
  const weights = pairs.map((_, at) => {
    const holding = judged.filter((each) => each[at]).length;
    return Math.log(1 + (judged.length - holding + 0.5) / (holding + 0.5));
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return (number) =>
    weights.reduce((sum, weight, at) => sum + (held[number]?.[at] ? weight : 0), 0) / total;
}

const RUN = new RegExp(`[${UNSPACED}]{2,}`, "gu");
const HIRAGANA_PAIR = /^[\p{sc=Hiragana}ー]{2}$/u;

/** Pairs of kana are mostly endings and particles, which occur everywhere. */
function characterPairs(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  for (const [run] of text.matchAll(RUN)) {
    const characters = [...run];
    for (let at = 0; at + 1 < characters.length; at++) {
      const pair = `${characters[at]}${characters[at + 1]}`;
      if (!HIRAGANA_PAIR.test(pair)) pairs.add(pair);
    }
  }
  return pairs;
}

// Sentences that the reader chose → statements with the spans that they quote.

import { isJapanese } from "../../text/scripts.ts";
import type { Sentence } from "../../text/sentences.ts";
import type { Claim } from "../citations.ts";
import { addressesModel } from "../model/injection.ts";
import { bestOf, type LikelySentence } from "../reader/reader.ts";

/** What the reader must give a further sentence: one that continues the text of another needs less. */
const MIN_FURTHER = 0.07;
const MIN_ADJACENT = 0.02;
const MAX_SENTENCES = 3;

/** The likeliest sentence, with others that may be the answer as well; none of it speaks to a model. */
export function chooseSentences(sentences: readonly LikelySentence[]): readonly LikelySentence[] {
  const chosen: LikelySentence[] = [];
  for (const each of sentences.filter(({ sentence }) => canAnswer(sentence))) {
    const isNew = chosen.every(({ sentence }) => sentence.text !== each.sentence.text);
    if (isNew && each.likely >= neededBeside(chosen, each)) chosen.push(each);
    if (chosen.length === MAX_SENTENCES) break;
  }
  return chosen;
}

function neededBeside(chosen: readonly LikelySentence[], { passage, at }: LikelySentence): number {
  if (chosen.length === 0) return 0;
  const isAdjacent = chosen.some(
    (other) => other.passage === passage && Math.abs(other.at - at) === 1,
  );
  return isAdjacent && passage === chosen[0]?.passage ? MIN_ADJACENT : MIN_FURTHER;
}

/**
 * "~a" and the like are OCR errors. A row is looked up or shown as a passage: whether it answers depends on the table's
 * other rows, which the reader does not see.
 */
function canAnswer({ text, kind }: Sentence): boolean {
  return kind !== "row" && /\p{L}{2}|\p{N}|\p{Lo}/u.test(text) && !addressesModel(text);
}

/** As the documents say it: passages by their best sentence, sentences within a passage as written. */
export function toClaims(chosen: readonly LikelySentence[]): readonly Claim[] {
  const passages = [...new Set(chosen.map(({ passage }) => passage))];
  return passages.flatMap((passage) => {
    const own = chosen.filter((each) => each.passage === passage);
    const numbers = new Set(own.flatMap(({ all, at }) => completeQuote(all, at)));
    return [...numbers]
      .sort((a, b) => a - b)
      .map((number) => toClaim(bestOf(own) as LikelySentence, number));
  });
}

/** The words that answer are in the best sentence, which need not be the first one shown. */
function toClaim({ passage, all, at, span }: LikelySentence, number: number): Claim {
  const sentence = all[number] as Sentence;
  const { start, end, kind, text } = sentence;
  return {
    text: toWording(sentence),
    passage,
    spans: [{ start, end }],
    ownLine: kind === "code" || ITEM.test(text),
    ...(number === at && { likely: span }),
  };
}

// Adds what a quoted sentence is incomplete without: the code, the steps or the list that it announces.

/** A list or code follows, although the sentence ends with a full stop. */
const ANNOUNCES = /\b(?:the following|as follows|these (?:steps|commands?))\b|次の|以下の|下記の/iu;
const STEP = /^\d{1,2}[.)]\s/;
const ITEM = /^(?:[-*+•・]|\d{1,3}[.)])\s|^[(（][\p{N}\p{Script=Katakana}]{1,3}[)）]/u;
const MAX_ANNOUNCED_LENGTH = 1_200;
const MAX_STEPS = 8;

/** The numbers of the sentences to quote with this one, in the order of the text, this one included. */
export function completeQuote(all: readonly Sentence[], at: number): readonly number[] {
  const own = all[at];
  if (!own) return [];
  const before = own.kind === "code" || STEP.test(own.text) ? leadTo(all, at) : at;
  const numbers = [before];
  if (STEP.test(all[before]?.text ?? "")) numbers.push(...stepsAfter(all, before));
  else numbers.push(...announcedBy(all, before));
  return [...new Set([...numbers, at])].sort((a, b) => a - b).filter((each) => canQuote(all[each]));
}

function canQuote(sentence: Sentence | undefined): boolean {
  return sentence !== undefined && !addressesModel(sentence.text);
}

/** The sentence that announces this code, or the first of these steps. */
function leadTo(all: readonly Sentence[], at: number): number {
  let from = at;
  while (from > 0 && at - from < MAX_STEPS && STEP.test(all[from - 1]?.text ?? "")) from--;
  const above = all[from - 1];
  const leads = above?.kind === "prose" && (isOpen(above) || ANNOUNCES.test(above.text));
  return leads ? from - 1 : from;
}

function isOpen({ text }: Sentence): boolean {
  return /[:：]$/u.test(text);
}

function stepsAfter(all: readonly Sentence[], at: number): readonly number[] {
  const below = all.slice(at + 1, at + MAX_STEPS);
  const end = below.findIndex(({ text }) => !STEP.test(text));
  return below.slice(0, end < 0 ? below.length : end).map((_, by) => at + 1 + by);
}

/** After a colon, what follows: code, the items of a list or one sentence. Code right below belongs to any sentence. */
function announcedBy(all: readonly Sentence[], at: number): readonly number[] {
  const [own, next] = [all[at], all[at + 1]];
  if (own?.kind !== "prose" || !next || next.text.length > MAX_ANNOUNCED_LENGTH) return [];
  if (next.kind === "code") return [at + 1];
  if (!(isOpen(own) || ANNOUNCES.test(own.text)) || next.kind !== "prose") return [];
  const below = all.slice(at + 1, at + 1 + MAX_STEPS);
  const end = below.findIndex(({ kind, text }) => kind !== "prose" || !ITEM.test(text));
  const items = below.slice(0, end < 0 ? below.length : end);
  if (items.length > 0) return items.map((_, by) => at + 1 + by);
  return isOpen(own) ? [at + 1] : [];
}

// Formats a sentence for the answer; the citation stays verbatim.

export function toWording({ kind, text }: Sentence): string {
  return kind === "code" ? `\n${text}\n` : unmark(unwrap(text));
}

/** Joins wrapped lines; in Japanese without a space, except after a label. */
function unwrap(text: string): string {
  const joint = isJapanese(text) ? "" : " ";
  const lines = (paragraph: string) =>
    paragraph.split("\n").map((line) => line.replace(/^\s*>\s?/, "").trim());
  return (
    text
      // A Markdown definition has the term on one line and its meaning on the next.
      .replace(/(?<=\S)\n[ \t]*:[ \t]+/gu, ": ")
      .split(/\n\s*\n/)
      .map((paragraph) => lines(paragraph).join(joint))
      .join(" ")
  );
}

/** Removes Markdown syntax, which would be noise in an answer. */
function unmark(text: string): string {
  return text
    .replace(/^(?:\s*(?:>|#{1,6}(?=\s)|[-*+•・](?=\s)|\d{1,3}[.)](?=\s)))+\s*/u, "")
    .replace(/!?\[([^[\]]{0,300})\]\([^()\s]{0,500}\)/gu, "$1")
    .replace(/(\*\*|__)(?=\S)(.*?\S)\1/gu, "$2")
    .replace(/(?<![\p{L}\p{N}*])\*(?=\S)([^*]*\S)\*(?![\p{L}\p{N}*])/gu, "$1")
    .replace(/`([^`]+)`/gu, "$1")
    .replace(/\n>\s?/gu, "\n")
    .trim();
}

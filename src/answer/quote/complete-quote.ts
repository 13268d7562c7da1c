// Adds what a quoted sentence is incomplete without: the code, the steps or the list that it announces.
import type { Sentence } from "../../text/sentences.ts";
import { addressesModel } from "../model/injection.ts";

/** A list or code follows, although the sentence ends with a full stop. */
const ANNOUNCES = /\b(?:the following|as follows|these (?:steps|commands?))\b|次の|以下の|下記の/iu;
const STEP = /^\d{1,2}[.)]\s/;
export const ITEM = /^(?:[-*+•・]|\d{1,3}[.)])\s|^[(（][\p{N}\p{Script=Katakana}]{1,3}[)）]/u;
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

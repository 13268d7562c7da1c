// How much of the name of a column, a row or a form's label is in a question.
import { isJapanese } from "../../../text/scripts.ts";
import { type Word, words } from "../../../text/words.ts";
import { synonymGroupsOf } from "../../synonyms.ts";
import { type ComparableText, foldInPlace } from "../comparable-text.ts";
import type { TableQuestion } from "../table-question.ts";

export interface NameMatch {
  /** The share of the name's words that are in the question. */
  readonly share: number;
  /** The question's words that match the name. */
  readonly matched: ReadonlySet<Word>;
}

/** The weight of a synonym; the word itself counts 1. */
const ALIKE = 0.8;
/** The weight of a column's name if the question has its number and about half of its words. */
const NUMBERED = 0.8;

/** How much of a name is in the question: the same word counts fully, a synonym less. */
export function matchName(question: TableQuestion, name: string): NameMatch {
  const bare = name.replace(/[(（][^)）]*[)）]/gu, " ").trim() || name;
  // Questions leave out the honorific: 使用量 for ご使用量.
  const flat = foldInPlace(bare)
    .replace(/\s+/gu, "")
    .replace(/^[ごお御](?=\p{sc=Han}{2})/u, "");
  if (isJapanese(flat)) {
    // Word segmentation varies in Japanese, so compare the whole name, then without its last character (名, 数, 日, …).
    const stem = /^(.{2,})[名日数者額率料先地]$/u.exec(flat)?.[1] ?? "";
    if (flat.length > 1 && question.folded.includes(flat)) {
      // Questions may say 担当者 where the table says 担当.
      const person = [`${flat}者`, `${flat}員`].find((text) => question.folded.includes(text));
      return { share: 1, matched: termsAt(question, person ?? flat) };
    }
    if (isJapanese(stem) && question.folded.includes(stem))
      return { share: 0.85, matched: termsAt(question, stem) };
  }
  return matchWords(question, bare);
}

function termsAt({ terms, folded }: TableQuestion, text: string): ReadonlySet<Word> {
  const at = folded.indexOf(text);
  return new Set(terms.filter(({ start, end }) => start < at + text.length && end > at));
}

function matchWords({ terms, folded }: TableQuestion, name: string): NameMatch {
  const matched = new Set<Word>();
  const parts = nameWords(name);
  const head = headOf(parts, name);
  let sum = 0;
  for (const part of parts) {
    const own = terms.find(({ key }) => key === part.key);
    const term = own ?? terms.find(({ key }) => isAlike(key, part.key));
    if (term) matched.add(term);
    const counts = own || isInside(folded, part) ? 1 : Number(term !== undefined) * ALIKE;
    sum += counts * (part === head ? 2 : 1);
  }
  const size = parts.length + (head ? 1 : 0);
  // "In 2006" names the column "FY 2006 Actual" if no other column has that number.
  const isNumbered = parts.some(
    ({ number, key }) => number && terms.some((term) => term.key === key),
  );
  if (isNumbered && sum >= size / 2 && matched.size > 1) return { share: NUMBERED, matched };
  return { share: size === 0 ? 0 : sum / size / (isVague(parts, matched) ? 2 : 1), matched };
}

function isInside(folded: string, { text }: Word): boolean {
  return isJapanese(text) && folded.includes(foldInPlace(text));
}

/** True if only the generic part matches: 電話番号 and 部屋番号 share 番号 but are different things. */
function isVague(parts: readonly Word[], matched: ReadonlySet<Word>): boolean {
  return parts.length > 1 && matched.size > 0 && [...matched].every(({ text }) => KIND.test(text));
}

const KIND = /^(?:番号|日付?|名前?|数量?|金?額|者|先|料金?|率|年月日|コード)$/u;

/** The head noun: "unit price" is a price, "rent per month" is a rent. */
function headOf(parts: readonly Word[], name: string): Word | undefined {
  // Japanese compounds end in a generic suffix (名, 数, 日) that questions leave out.
  if (isJapanese(name)) return undefined;
  const until = name.search(/\s(?:per|of|in|for|by)\s/iu);
  return until < 0 ? parts.at(-1) : parts.findLast(({ start }) => start < until);
}

function nameWords(name: string): readonly Word[] {
  const all = words(name);
  const content = all.filter((word) => word.content);
  return content.length > 0 ? content : all;
}

function isAlike(a: string, b: string): boolean {
  if (isRelated(a, b)) return true;
  const groups = synonymGroupsOf(a);
  return groups.length > 0 && synonymGroupsOf(b).some((group) => groups.includes(group));
}

/** Words with a common stem: "depart" and "departure", "weigh" and "weight". */
export function isRelated(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return /^[a-z]{5,}$/.test(short) && long.length - short.length <= 4 && long.startsWith(short);
}

/** The question's terms that a text contains. */
export function matchText(
  { terms }: TableQuestion,
  { keys, folded }: ComparableText,
): readonly Word[] {
  return terms.filter(
    (term) =>
      keys.has(term.key) || (isJapanese(term.text) && folded.includes(foldInPlace(term.text))),
  );
}

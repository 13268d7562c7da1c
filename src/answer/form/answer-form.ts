// Answers from forms: finds the field whose label the question names.
import type { Block } from "../../domain/document.ts";
import type { Passage } from "../../domain/passage.ts";
import { type Word, words } from "../../text/words.ts";
import { lacksAttribute } from "../asked/asked-words.ts";
import type { Claim } from "../citations.ts";
import type { FormSignals } from "../confidence/signals.ts";
import type { Library } from "../document-reader.ts";
import type { KnownDocument } from "../reading-cache.ts";
import { toComparable } from "../table/comparable-text.ts";
import { parsePairs } from "../table/grid/pairs.ts";
import { matchName, matchText } from "../table/match/match-name.ts";
import type { TableQuestion } from "../table/table-question.ts";
import { CODE, type Field, readFields, shapeOf } from "./fields.ts";

export interface FormAnswer {
  readonly claims: readonly Claim[];
  readonly signals: FormSignals;
}

const MOST_DOCUMENTS = 4;
const FIRST_PASSAGES = 8;
// A longer document is not a form, so only the found passages are read.
const LONGEST_FORM = 12_000;
const LEAST_LABEL = 0.49;
const LONGEST_PAGE = 6_000;

/** Words for the type of a value. A question implies them by its question word: when, how many. */
const KINDS: Readonly<Partial<Record<TableQuestion["ask"]["wants"], RegExp>>> = {
  date: /\bdate(?: of)?\b/iu,
  number: /\b(?:number|quantity|count|amount) of\b|\b(?:value|amount|paid)$/iu,
};

/** "Does the warranty cover …?" asks for a sentence. */
const YES_OR_NO =
  /^\s*(?:does|do|did|is|are|was|were|can|could|may|must|should|has|have|will|would)\b/iu;

export async function answerFromForms(
  asked: TableQuestion,
  found: readonly Passage[],
  documents: Library,
): Promise<readonly FormAnswer[]> {
  const question = { ...asked, terms: asked.terms.filter(({ text }) => !/^[誰何]$/u.test(text)) };
  if (question.terms.length === 0 || YES_OR_NO.test(asked.text)) return [];
  const ids = [...new Set(found.slice(0, FIRST_PASSAGES).map(({ documentId }) => documentId))];
  const answers = ids.slice(0, MOST_DOCUMENTS).map(async (id): Promise<readonly FormAnswer[]> => {
    const passages = found.filter(({ documentId }) => documentId === id);
    if (!passages.some((passage) => mayAnswer(question, passage, documents))) return [];
    const known = passages[0] && (await documents.known(passages[0]));
    if (!known) return [];
    const near = 1 / (1 + found.findIndex(({ documentId }) => documentId === id));
    return fromDocument(question, known, { passages, near });
  });
  return (await Promise.all(answers)).flat();
}

/** A cheap check of the found passages, which avoids reading documents that have no such field. */
function mayAnswer(question: TableQuestion, passage: Passage, { fieldsOf }: Library): boolean {
  if (/^\s*\|.*\|/m.test(passage.text)) return true;
  return fieldsOf(passage).some(({ label }) => matchLabel(question, label).share >= LEAST_LABEL);
}

interface Place {
  readonly passages: readonly Passage[];
  readonly near: number;
}

function fromDocument(question: TableQuestion, known: KnownDocument, { passages, near }: Place) {
  const [passage] = passages;
  const { document } = known;
  const fields = fieldsOf(known, passages);
  const name = passage?.filename.replace(/\.[^.]+$/, "").replace(/[-_.]+/g, " ") ?? "";
  const density = Math.min(1, (fields.length * 80) / Math.max(1, document.text.length));
  const onPage = openPages(question, known, name);
  const named = new Set(matchText(question, toComparable(name)));
  const answers = fields.flatMap((field) => {
    const { share, matched } = matchLabel(question, field.label);
    if (share < LEAST_LABEL || matched.size === 0 || isOfOtherKind(question, field)) return [];
    // "Laboratory report: Patient" does not say who the physician is, and "Ann: date of birth" not
    // when she was born.
    if (lacksAttribute(question.asked, matched) || isAsked(question, field)) return [];
    const holder = passages.find(({ start, end }) => start <= field.start && end >= field.end);
    if (!holder) return [];
    const around = new Set([...matched, ...onPage(field)]);
    const signals = {
      ...shares(question, matched, around),
      label: share,
      head: isHead(question, matched) ? 1 : 0,
      shaped: isShaped(question, field) ? 1 : 0,
      density,
      near,
    };
    const span = { start: field.start - holder.start, end: field.end - holder.start };
    const text = `${field.label}: ${field.value}`;
    const own = [...matched].some((term) => !named.has(term)) ? 0 : 1;
    return [{ own, claims: [{ text, passage: holder, spans: [span], ownLine: true }], signals }];
  });
  // In an invoice, "invoice" also names the document, so of "invoice date" and "due date" only
  // "due" is distinctive.
  return answers.sort((a, b) => a.own - b.own).map(({ claims, signals }) => ({ claims, signals }));
}

/** Text left of a label on the same line is read as part of it, so the label may be only the end of what was read. */
function matchLabel(question: TableQuestion, label: string) {
  // "Receipt No" and "Order #" label a number, not the receipt or order.
  // In "VAT 20%" the rate is not part of the name.
  const parts = label
    .replace(/\s[(（]?\d{1,2}(?:[.,]\d+)?\s?%[)）]?$/u, "")
    .replace(/(?:\bno\.?|[#№])$/iu, "number")
    .split(/\s+/);
  const ends =
    parts.length < 3
      ? []
      : parts
          .slice(1)
          .flatMap((part, at) => (/^\p{Lu}/u.test(part) ? [parts.slice(at + 1).join(" ")] : []));
  const kind = KINDS[question.ask.wants];
  const bare = kind ? label.replace(kind, " ").trim() : label;
  // "When was it issued?" needs no label if the form has only one date.
  const last = question.terms.at(-1);
  if (bare === "" && question.ask.wants === "date" && last)
    return { share: 0.8, matched: new Set([last]) };
  return [parts.join(" "), ...ends, ...(bare === label || bare === "" ? [] : [bare])]
    .map((name) => matchName(question, name))
    .reduce((best, each) => (each.share > best.share ? each : best));
}

function fieldsOf(
  { document, recall }: KnownDocument,
  passages: readonly Passage[],
): readonly Field[] {
  const { text, blocks } = document;
  const pairs = recall("pairs", () =>
    blocks.flatMap((block) => (block.kind === "table" ? parsePairs(text, block) : [])),
  );
  if (text.length <= LONGEST_FORM) return [...recall("fields", () => readFields(text)), ...pairs];
  return [
    ...passages.slice(0, 4).flatMap(({ start, end }) => readFields(text, start, end)),
    ...pairs,
  ];
}

/**
 * Finds the question's words on the field's page: of two estimates, "the Batmobile's" is the one
 * that mentions it.
 */
function openPages(question: TableQuestion, { document, recall }: KnownDocument, name: string) {
  const { text, blocks } = document;
  const matched = new Map<string, readonly Word[]>();
  const keyOf = ({ page, slide, sheet }: Block["place"]) => `${page}/${slide}/${sheet}`;
  return ({ start }: Field): readonly Word[] => {
    const own = blocks.find((block) => block.start <= start && block.end >= start);
    const key = own ? keyOf(own.place) : "";
    const page = () => toComparable(`${name}\n${pageText(key)}`);
    const terms = matched.get(key) ?? matchText(question, recall(`page ${key}`, page));
    matched.set(key, terms);
    return terms;
  };

  function pageText(key: string): string {
    const same = blocks.filter(({ place }) => keyOf(place) === key);
    const from = same[0]?.start ?? 0;
    return text.slice(from, Math.min(same.at(-1)?.end ?? text.length, from + LONGEST_PAGE));
  }
}

function shares({ terms }: TableQuestion, matched: ReadonlySet<Word>, around: ReadonlySet<Word>) {
  const weigh = ({ number, proper }: Word) => (number || proper ? 2 : 1);
  const sum = (of: readonly Word[]) => of.reduce((all, term) => all + weigh(term), 0);
  const open = terms.filter((term) => !around.has(term));
  return {
    explained: 1 - sum(open) / sum(terms),
    asked: sum([...matched]) / sum(terms),
    strange: Math.min(1, open.filter(({ number, proper }) => number || proper).length / 2),
  };
}

/** The word asked for comes first in English ("date of the invoice") and last in Japanese (請求書の日付). */
function isHead({ terms, japanese, ask }: TableQuestion, matched: ReadonlySet<Word>): boolean {
  const head = japanese ? terms.at(-1) : terms[0];
  if (head !== undefined && matched.has(head)) return true;
  // In "How much does the parcel weigh?" and "When did she depart?" the verb comes last.
  const last = terms.at(-1);
  return ask.wants !== "thing" && ask.wants !== "list" && last !== undefined && matched.has(last);
}

/** The value only repeats the question, so it is another label. */
function isAsked({ terms }: TableQuestion, { value }: Field): boolean {
  const own = words(value).filter(({ content }) => content);
  return own.length > 0 && own.every(({ key }) => terms.some((term) => term.key === key));
}

/**
 * A person is never a number. An answer to "how many" or "when" contains a digit that is not part
 * of a code such as INV-2043.
 */
function isOfOtherKind({ ask }: TableQuestion, { value }: Field): boolean {
  if (ask.wants === "person") return !/\p{L}{2}/u.test(value);
  if (ask.wants !== "number" && ask.wants !== "date") return false;
  // A bare number such as "1" is not a date.
  if (ask.wants === "date" && /^\p{N}{1,3}$/u.test(value)) return true;
  return !/\p{N}|曜日|末|day\b/iu.test(value) || CODE.test(value);
}

function isShaped({ ask, folded }: TableQuestion, { value, label }: Field): boolean {
  const shape = shapeOf(value);
  if (/\b(?:total|amount|price|cost|balance|tax|fee)\b|合計|金額|総額|代金|料金|税/u.test(folded))
    return shape === "number" || shape === "code";
  if (/\bdate\b|\bdeadline\b|日付|期限|締切/u.test(folded)) return shape === "date";
  switch (ask.wants) {
    case "number":
      return shape === "number";
    case "date":
      return shape === "date";
    case "person":
      return shape === "words" && value.length < 40;
    default:
      return /\bdate\b|日付|期限|日$/iu.test(label) ? shape === "date" : value.length < 40;
  }
}

// Answers from forms: the field whose label the question names, in the document that it is about.
import type { Block, ExtractedDocument } from "../../domain/document.ts";
import type { Passage } from "../../domain/passage.ts";
import type { Word } from "../../text/words.ts";
import type { Claim } from "../citations.ts";
import type { DocumentReader } from "../documents.ts";
import { matchName, matchText, type TableQuestion } from "../table/bind.ts";
import { parsePairs } from "../table/grid/grid.ts";
import { type Field, readFields, shapeOf } from "./fields.ts";

/** Each from 0 to 1. */
interface FormSignals {
  /** The share of the question that label and document explain, names and numbers counting more. */
  readonly explained: number;
  /** How much of the label the question says. */
  readonly label: number;
  /** How much of the question's words the label says. */
  readonly asked: number;
  /** The label says what the question asks for first: "date" in "the date of the invoice". */
  readonly head: number;
  /** The value looks like what is asked for. */
  readonly shaped: number;
  /** How much of the document is labels and values. */
  readonly density: number;
  readonly strange: number;
  readonly near: number;
}

export interface FormAnswer {
  readonly claims: readonly Claim[];
  readonly signals: FormSignals;
}

const MOST_DOCUMENTS = 4;
const FIRST_PASSAGES = 8;
// A longer document is no form: only the passages found are read.
const LONGEST_FORM = 12_000;
const LEAST_LABEL = 0.49;
const LONGEST_PAGE = 6_000;

/** What a label calls the kind of its value, which a question says by how it asks: when, how many. */
const KINDS: Readonly<Partial<Record<TableQuestion["ask"]["wants"], RegExp>>> = {
  date: /\bdate(?: of)?\b/iu,
  number: /\b(?:number|quantity|count) of\b/iu,
};

export async function answerFromForms(
  asked: TableQuestion,
  found: readonly Passage[],
  documents: DocumentReader,
): Promise<readonly FormAnswer[]> {
  const question = { ...asked, terms: asked.terms.filter(({ text }) => !/^[誰何]$/u.test(text)) };
  if (question.terms.length === 0) return [];
  const ids = [...new Set(found.slice(0, FIRST_PASSAGES).map(({ documentId }) => documentId))];
  const answers: FormAnswer[] = [];
  for (const id of ids.slice(0, MOST_DOCUMENTS)) {
    const passages = found.filter(({ documentId }) => documentId === id);
    if (!passages.some(({ text }) => mayAnswer(question, text))) continue;
    const document = await documents.extracted(id);
    if (!document) continue;
    const near = 1 / (1 + found.findIndex(({ documentId }) => documentId === id));
    answers.push(...fromDocument(question, document, { passages, near }));
  }
  return answers;
}

/** Reading a document takes longer than looking whether a found passage has such a field at all. */
function mayAnswer(question: TableQuestion, text: string): boolean {
  if (/^\s*\|.*\|/m.test(text)) return true;
  return readFields(text).some(({ label }) => matchLabel(question, label).whole >= LEAST_LABEL);
}

interface Place {
  readonly passages: readonly Passage[];
  readonly near: number;
}

function fromDocument(
  question: TableQuestion,
  document: ExtractedDocument,
  { passages, near }: Place,
) {
  const [passage] = passages;
  const fields = fieldsOf(document, passages);
  const name = passage?.filename.replace(/\.[^.]+$/, "").replace(/[-_.]+/g, " ") ?? "";
  const density = Math.min(1, (fields.length * 80) / Math.max(1, document.text.length));
  const onPage = openPages(question, document, name);
  const named = new Set(matchText(question, name));
  const answers = fields.flatMap((field) => {
    const { whole, said } = matchLabel(question, field.label);
    if (whole < LEAST_LABEL || said.size === 0) return [];
    const holder = passages.find(({ start, end }) => start <= field.start && end >= field.end);
    if (!holder) return [];
    const around = new Set([...said, ...onPage(field)]);
    const signals = {
      ...shares(question, said, around),
      label: whole,
      head: isHead(question, said) ? 1 : 0,
      shaped: isShaped(question, field) ? 1 : 0,
      density,
      near,
    };
    const span = { start: field.start - holder.start, end: field.end - holder.start };
    const text = `${field.label}: ${field.value}`;
    const own = [...said].some((term) => !named.has(term)) ? 0 : 1;
    return [{ own, claims: [{ text, passage: holder, spans: [span], ownLine: true }], signals }];
  });
  // "Invoice date" and "due date" of an invoice that is due: the word that the document is not called by decides.
  return answers.sort((a, b) => a.own - b.own).map(({ claims, signals }) => ({ claims, signals }));
}

/** What is left of a label on the same line is read with it: the end of what was read may be the label. */
function matchLabel(question: TableQuestion, label: string) {
  // "Receipt No", "Order #": the label of a number, not of the receipt.
  const parts = label.replace(/(?:\bno\.?|[#№])$/iu, "number").split(/\s+/);
  const ends =
    parts.length < 3
      ? []
      : parts
          .slice(1)
          .flatMap((part, at) => (/^\p{Lu}/u.test(part) ? [parts.slice(at + 1).join(" ")] : []));
  const kind = KINDS[question.ask.wants];
  const bare = kind ? label.replace(kind, " ").trim() : label;
  return [parts.join(" "), ...ends, ...(bare === label || bare === "" ? [] : [bare])]
    .map((name) => matchName(question, name))
    .reduce((best, each) => (each.whole > best.whole ? each : best));
}

function fieldsOf(document: ExtractedDocument, passages: readonly Passage[]): readonly Field[] {
  const { text, blocks } = document;
  const pairs = blocks.flatMap((block) => (block.kind === "table" ? parsePairs(text, block) : []));
  if (text.length <= LONGEST_FORM) return [...readFields(text), ...pairs];
  return [
    ...passages.slice(0, 4).flatMap(({ start, end }) => readFields(text, start, end)),
    ...pairs,
  ];
}

/** What a field's page says of the question: "the Batmobile's estimate" is the one of the two that names it. */
function openPages(question: TableQuestion, { text, blocks }: ExtractedDocument, name: string) {
  const known = new Map<string, readonly Word[]>();
  const keyOf = ({ page, slide, sheet }: Block["place"]) => `${page}/${slide}/${sheet}`;
  return ({ start }: Field): readonly Word[] => {
    const own = blocks.find((block) => block.start <= start && block.end >= start);
    const key = own ? keyOf(own.place) : "";
    const terms = known.get(key) ?? matchText(question, `${name}\n${pageText(key)}`);
    known.set(key, terms);
    return terms;
  };

  function pageText(key: string): string {
    const same = blocks.filter(({ place }) => keyOf(place) === key);
    const from = same[0]?.start ?? 0;
    return text.slice(from, Math.min(same.at(-1)?.end ?? text.length, from + LONGEST_PAGE));
  }
}

function shares({ terms }: TableQuestion, said: ReadonlySet<Word>, around: ReadonlySet<Word>) {
  const weigh = ({ number, proper }: Word) => (number || proper ? 2 : 1);
  const sum = (of: readonly Word[]) => of.reduce((all, term) => all + weigh(term), 0);
  const open = terms.filter((term) => !around.has(term));
  return {
    explained: 1 - sum(open) / sum(terms),
    asked: sum([...said]) / sum(terms),
    strange: Math.min(1, open.filter(({ number, proper }) => number || proper).length / 2),
  };
}

/** English names the asked thing first ("date of the invoice"), Japanese last (請求書の日付). */
function isHead({ terms, japanese }: TableQuestion, said: ReadonlySet<Word>): boolean {
  const head = japanese ? terms.at(-1) : terms[0];
  return head !== undefined && said.has(head);
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
      return shape === "words";
    default:
      return /\bdate\b|日付|期限|日$/iu.test(label) ? shape === "date" : value.length < 40;
  }
}

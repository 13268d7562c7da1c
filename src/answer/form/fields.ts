// Finds labels and their values in the text of invoices, receipts and forms, including OCR output.
import { isJapanese } from "../../text/scripts.ts";
import { readValue } from "../table/grid/cell-value.ts";

export interface Field {
  readonly label: string;
  readonly value: string;
  /** Offsets into the text, from the start of the label to the end of the value. */
  readonly start: number;
  readonly end: number;
}

const HEADING = /^\s*#{1,6}\s/u;
/** INV-2043, K-200: an identifier. */
export const CODE = /^\p{Lu}+[-#]?\d+$/u;
const LONGEST_LINE = 400;
const LONGEST_LABEL_WORDS = 5;
const LONGEST_VALUE = 80;
const MARKS = /^[\s#>*\-•・|]+|[\s|*]+$/gu;
/** The colon that ends a label, but not the one in a time or a URL. */
const COLON = /(?:(?<!\d)[:：]|[:：](?!\d\d))(?!\/\/)/gu;
/** Words followed by something with digits: "Total 1,756", "Doc No CS00011955 Date 02/12/2017", "IBAN GB29 NWBK 6016 …". */
const BARE =
  /(?<label>(?:[\p{L}][\p{L}.'’&()/-]*[ \t]+){1,4}(?:#|№|No\.?)?[ \t]*(?:[(（]?\d{1,2}(?:[.,]\d+)?[ \t]?%[)）]?[ \t]+(?=[$€£¥￥]?\d))?)(?<value>[A-Z]{2}\d{2}(?:[ ][A-Z\d]{4}){2,7}(?:[ ][A-Z\d]{1,3})?(?![A-Z\d])|\+?\d{2,4}(?:[ ]\d{2,4}){2,4}(?![\d.,])|(?:(?:CHF|EUR|USD|GBP|JPY|CAD|AUD|SEK|NOK|DKK|PLN|INR|RM)[ \t]?)?[$€£¥￥]?-?(?=[\p{L}\d.,/:#-]*\d)[\p{L}\d][\p{L}\d.,/:#%-]*(?:[ \t]?(?:€|%|円|USD|EUR))?)/gu;
const JAPANESE_BARE =
  /(?<label>[\p{sc=Han}\p{sc=Katakana}\p{sc=Hiragana}ー]{2,14})[ \t　]+(?<value>[¥￥]?[\d０-９][\d０-９.,，／/年月日:-]*\S{0,3})/gu;

/** Most lines do not start with a label and value, and are not searched for more. */
const STARTS_BARE = [BARE, JAPANESE_BARE].map(
  ({ source }) => new RegExp(`^[^\\p{L}\\p{N}]*${source}`, "u"),
);

/** In "TOTAL   CHF 821.20" the currency is part of the value. */
const CURRENCY_END = /\s+(?:CHF|EUR|USD|GBP|JPY|CAD|AUD|SEK|NOK|DKK|PLN|INR|RM)$/u;
/** Words that cannot end a label. */
const ENDS_OPEN =
  /\b(?:of|by|to|from|in|on|at|with|for|the|a|an|and|or|than|is|are|was|were|be|been|has|have|had|as|that|which|over|about|not|but|page|figure|table|chapter|section)$/iu;

/** Reads all of `text`, or the given part of it. */
export function readFields(text: string, from = 0, to = text.length): readonly Field[] {
  const fields: Field[] = [];
  for (let start = from; start < to; ) {
    const cut = text.indexOf("\n", start);
    const end = cut < 0 || cut > to ? to : cut;
    if (end - start <= LONGEST_LINE) fields.push(...readLine(text, start, end));
    start = end + 1;
  }
  return [...fields, ...stackedFields(text, from, to)];
}

function readLine(text: string, start: number, end: number): readonly Field[] {
  const line = text.slice(start, end);
  // Table rows are handled by the table code.
  if (/^\s*\|.*\|\s*$/.test(line)) return [];
  const colons = [...line.matchAll(COLON)].map(({ index }) => index);
  const found = colons.flatMap((at, order) => afterColon(line, at, colons[order + 1]) ?? []);
  // "# Invoice INV-2043" is a title, not a field; "# GRAND TOTAL 211,522" is a field in large print.
  const bare = bareFields(line).filter(({ value }) => !HEADING.test(line) || !CODE.test(value));
  const others = bare.length > 0 || found.length > 0 ? bare : columnFields(line);
  const free = others.filter(
    ({ start: from, end: to }) => !found.some((field) => field.end > from && field.start < to),
  );
  return [...found, ...free].flatMap(({ label, value, ...span }) => {
    const plain = {
      label: lastWords(label.replace(MARKS, "").replace(CURRENCY_END, "")),
      value: value.replace(MARKS, "").trim(),
    };
    if (plain.label === "" || plain.value === "" || !/\p{L}/u.test(plain.label)) return [];
    if (isProse(plain.value)) return [];
    return [{ ...plain, start: start + span.start, end: start + span.end }];
  });
}

/** "Google Docs: The introduction of …": a sentence after a name is not a value. */
function isProse(value: string): boolean {
  return value.length > LONGEST_VALUE && /\p{L}{2}[.!?](?:\s|$)|。/u.test(value);
}

/** In prose every number follows some words too, so fields only count if they are adjacent. */
function bareFields(line: string) {
  const fields: { label: string; value: string; start: number; end: number }[] = [];
  let end = line.length - line.replace(/^[\s#>*\-•・|]+/u, "").length;
  for (const match of bareMatches(line)) {
    const { label = "", value = "" } = match.groups ?? {};
    const gap = line.slice(end, match.index);
    if (match.index < end || /[\p{L}\p{N}]/u.test(gap) || ENDS_OPEN.test(label.trim())) break;
    end = match.index + match[0].length;
    fields.push({ label, value, start: match.index, end });
  }
  const rest = line.slice(end).match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  return rest > 3 ? [] : fields;
}

/** Label and value separated by a wide gap: "10.05. Minibar      CHF 17.50", 部屋番号　　705. */
function columnFields(line: string) {
  const parts = [...line.matchAll(/[^\s　]+(?:[ \t][^\s　]+)*/gu)];
  const [first, second] = parts;
  if (!first || !second) return [];
  const label = first[0].replace(/^\d{1,2}[./]\d{1,2}\.?\s|^\d{1,3}\s?[x×]\s/u, "");
  if (!/\p{L}{2}/u.test(label) || /\d{3}|[.。]$/u.test(label) || label.length > 40) return [];
  const typed = parts.slice(1).filter(([part]) => /\d/.test(part) && !/^[(（]/u.test(part));
  // A value without digits (件名　　配線工事) is accepted only in Japanese; in other languages it may be anything.
  const worded = parts.length === 2 && isJapanese(line) ? second : undefined;
  const value = typed.at(-1) ?? worded;
  if (!value || value[0].length > 40) return [];
  return [{ label, value: value[0], start: first.index, end: value.index + value[0].length }];
}

const LABEL_LINE = /^[ \t]*(?=\p{L})[^\n|:：.。!?]{2,40}$/u;

/** A label on one line and its value on the next. */
function stackedFields(text: string, from: number, to: number): readonly Field[] {
  const fields: Field[] = [];
  let last: { readonly line: string; readonly start: number } | undefined;
  for (let start = from; start < to; ) {
    const cut = text.indexOf("\n", start);
    const end = cut < 0 || cut > to ? to : cut;
    const line = end - start <= LONGEST_LINE ? text.slice(start, end) : "";
    const value = line.trim();
    if (last && value !== "" && isValueOf(last.line, value))
      fields.push({ label: last.line.trim(), value, start: last.start, end });
    if (value !== "")
      last = LABEL_LINE.test(line) && !/\d/.test(line) ? { line, start } : undefined;
    start = end + 1;
  }
  return fields;
}

function isValueOf(label: string, value: string): boolean {
  const words = label.trim().split(/\s+/).length;
  if (words > 4 || value.length > 40 || /^[#|]|(?<!\d)[:：]/u.test(value)) return false;
  const [shape, parts] = [shapeOf(value), value.split(/\s+/).length];
  if (shape === "words") return /^\p{Lu}/u.test(value) && parts <= 4;
  return shape !== "code" || parts === 1;
}

/** Lazy, because most lines are rejected at their first match. */
function* bareMatches(line: string): Generator<RegExpExecArray> {
  if (!/\p{Nd}/u.test(line) || !STARTS_BARE.some((start) => start.test(line))) return;
  yield* line.matchAll(BARE);
  yield* line.matchAll(JAPANESE_BARE);
}

/** The value ends at the next label, a wide gap or the end of the line. */
function afterColon(line: string, at: number, next: number | undefined) {
  const label =
    line
      .slice(0, at)
      .split(/[:：]|\s{3,}|\|/u)
      .at(-1) ?? "";
  const rest = line.slice(at + 1, next ?? line.length);
  const own = next === undefined ? rest : withoutLabel(rest);
  const value = own.split(/\s{3,}|\s\|\s/u).find((part) => part.trim() !== "") ?? "";
  const end = at + 1 + own.indexOf(value) + value.length;
  const labelStart = at - lastWords(label).length;
  return value.trim() === ""
    ? undefined
    : { label, value: value.trim(), start: Math.max(0, labelStart), end };
}

/** After a code or number, all words belong to the next label; after a name, at least the last word does. */
function withoutLabel(rest: string): string {
  const coded = /^\s*\S*\d\S*/u.exec(rest)?.[0];
  return coded ?? rest.replace(/[ \t　]*[\p{L}#][\p{L}.#]*(?:[ \t]No\.?)?[ \t]*$/u, "");
}

function lastWords(label: string): string {
  const trimmed = label.trim();
  const kept = trimmed.split(/\s+/).slice(-LONGEST_LABEL_WORDS).join(" ");
  return kept.length > 60 ? "" : kept;
}

export function shapeOf(value: string): "number" | "date" | "code" | "words" {
  const known = readValue(value)?.kind;
  if (known) return known;
  if (
    /\d{1,4}[-/.年]\s?\d{1,2}[-/.月]\s?\d{1,4}|\b\d{1,2}\s?[A-Za-z]{3,9}\s?\d{2,4}\b/u.test(value)
  )
    return "date";
  return /\d/.test(value) ? "code" : "words";
}

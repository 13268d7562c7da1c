// Finds the rows with a date from the question, in whatever format the table has it.
import type { Word } from "../../../text/words.ts";
import { readValue } from "../grid/cell-value.ts";
import type { Row } from "../grid/grid.ts";

const MONTH = "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}";
const DATE = new RegExp(
  [
    "\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}",
    "\\d{4}年\\s?\\d{1,2}月(?:\\s?\\d{1,2}日)?",
    "\\d{1,2}月\\s?\\d{1,2}日",
    `\\b\\d{1,2}(?:st|nd|rd|th)? ${MONTH}\\b(?:,? \\d{4}\\b)?`,
    `\\b${MONTH} \\d{1,2}(?:st|nd|rd|th)?\\b(?:,? \\d{4}\\b)?`,
    `\\b${MONTH} \\d{4}\\b`,
  ].join("|"),
  "gu",
);

export function matchDates(
  { folded, terms }: { readonly folded: string; readonly terms: readonly Word[] },
  rows: readonly Row[],
) {
  return [...folded.matchAll(DATE)].flatMap(({ 0: text, index }) => {
    const wanted = toDate(text);
    const found = rows.filter(({ values }) =>
      values.some((value) => value?.kind === "date" && isSame(value.value, wanted)),
    );
    if (wanted === 0 || found.length === 0 || found.length === rows.length) return [];
    const inside = terms.filter(({ start, end }) => start < index + text.length && end > index);
    return [{ rows: new Set(found), terms: inside, start: index }];
  });
}

function toDate(text: string): number {
  const isYearless = !/\d{4}/.test(text) && /[a-z]/.test(text);
  const value = readValue(isYearless ? `${text} 0000` : text);
  return value?.kind === "date" ? value.value : 0;
}

/** A year or day that is missing on one side matches any. */
function isSame(own: number, wanted: number): boolean {
  const parts = (date: number) => [
    Math.floor(date / 10_000),
    Math.floor(date / 100) % 100,
    date % 100,
  ];
  const [a, b] = [parts(own), parts(wanted)];
  return a.every((part, at) => part === b[at] || (at !== 1 && (part === 0 || b[at] === 0)));
}

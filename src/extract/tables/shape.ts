// What a table's rows are: a header and data, data alone, or a form of labels and values.
//
//   Name:   Ann Lee       - Name: Ann Lee
//   Born:   3 May 1980    - Born: 3 May 1980

type Row = readonly string[];

export type Shape =
  | { readonly kind: "data"; readonly headerRows: number }
  | { readonly kind: "form"; readonly fields: readonly string[] };

// A longer label is a sentence.
const MAX_LABEL_LENGTH = 60;
const MAX_FORM_ROWS = 60;
const MAX_HEADER_ROWS = 3;
const LABEL = new RegExp(`^(?=.*\\p{L}).{1,${MAX_LABEL_LENGTH}}[:：]$`, "u");
const LABEL_AND_VALUE = new RegExp(`^[^:：]{1,${MAX_LABEL_LENGTH}}[:：]\\s+\\S`, "u");
const NUMBER = /^[^\p{L}]*\d[^\p{L}]*$/u;
/** Years are as common as words in column headers. */
const YEAR = /^(?:19|20)\d\d(?:年度?)?$/u;

/** `marked`: how many rows the file says are the header; undefined if it says nothing. */
export function shapeOf(rows: readonly Row[], marked: number | undefined): Shape {
  if (marked !== undefined) return { kind: "data", headerRows: marked };
  const fields = isForm(rows) ? fieldsOf(rows) : undefined;
  if (fields !== undefined) return { kind: "form", fields };
  return { kind: "data", headerRows: isBare(rows) ? 0 : headerRows(rows) };
}

const filled = (row: Row) => row.filter((cell) => cell !== "");
export const isNumber = (cell: string) => NUMBER.test(cell) && !YEAR.test(cell);
const isLabel = (cell: string) => LABEL.test(cell);

function isForm(rows: readonly Row[]): boolean {
  if (rows.length > MAX_FORM_ROWS) return false;
  const cells = rows.flatMap(filled);
  const [first = ""] = filled(rows[0] ?? []);
  const labels = cells.filter(isLabel).length;
  if (labels < 2) return isPairs(rows);
  // With its value, a label makes two cells.
  const isMost = labels * 2 + cells.filter((cell) => LABEL_AND_VALUE.test(cell)).length;
  return (isLabel(first) || LABEL_AND_VALUE.test(first)) && isMost >= cells.length * 0.6;
}

/** Two columns whose first row is no header, because its value is a number. */
function isPairs(rows: readonly Row[]): boolean {
  if (rows.length < 2 || rows.some((row) => row.length > 2 && row.slice(2).some(Boolean)))
    return false;
  const labels = rows.map(([label = ""]) => label);
  const isNamed = labels.every((label) => /\p{L}{2}/u.test(label) && !isNumber(label));
  return isNamed && new Set(labels).size === labels.length && isNumber(rows[0]?.[1] ?? "");
}

function fieldsOf(rows: readonly Row[]): readonly string[] {
  return rows.flatMap((row) => {
    const fields: string[] = [];
    let isOpen = false;
    for (const [at, cell] of filled(row).entries()) {
      const isValue: boolean = isOpen && !isLabel(cell);
      if (isValue) fields.push(`${fields.pop()} ${cell}`);
      else
        fields.push(at === 0 && !/[:：]/.test(cell) && filled(row).length > 1 ? `${cell}:` : cell);
      isOpen = isValue ? false : /[:：]$/.test(fields.at(-1) ?? "");
    }
    return fields;
  });
}

/** Numbers in the first row, above numbers, are data. */
function isBare(rows: readonly Row[]): boolean {
  const [first = [], second = []] = rows;
  const numbers = first.filter(isNumber);
  const isCounted = numbers.every(
    (cell, at) => at === 0 || Number(cell) === Number(numbers[at - 1]) + 1,
  );
  const isAboveNumbers = first.every((cell, at) => !isNumber(cell) || isNumber(second[at] ?? "0"));
  const isMuch = numbers.length * 2 >= filled(first).length && numbers.length > 0;
  return isMuch && first[0] !== "" && isAboveNumbers && !(isCounted && numbers.length > 1);
}

/** Rows of labels below merged labels are part of the header, if numbers follow. */
function headerRows(rows: readonly Row[]): number {
  let count = 1;
  while (count < Math.min(MAX_HEADER_ROWS, rows.length - 1) && isSubHeader(rows, count)) count += 1;
  return count;
}

function isSubHeader(rows: readonly Row[], at: number): boolean {
  const [above = [], row = [], below = []] = rows.slice(at - 1, at + 2);
  const isMerged = row.some((cell, column) => cell !== "" && (above[column] ?? "") === "");
  const isLabels = [...above, ...row].every((cell) => !isNumber(cell));
  return isMerged && isLabels && filled(row).length > 1 && below.some(isNumber);
}

// Questions on whole files: real documents, tables of an encyclopedia, photographed receipts.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { sampleOf } from "../support/sample.ts";
import { holdsAll, holdsAny, holdsValue, type Item } from "./ask.ts";

interface DocumentQuestion {
  readonly question: string;
  readonly phrase: string;
  readonly also: readonly string[];
}

export function documentItems(folder: string): readonly Item[] {
  return toLines<DocumentQuestion>(join(folder, "questions.jsonl")).map(
    ({ question, phrase, also }) => ({
      set: "documents",
      where: "present",
      question,
      holds: holdsAll([phrase, ...also]),
    }),
  );
}

interface TableQuestion {
  readonly file: string;
  readonly question: string;
  readonly answers: readonly string[];
}

/** Asked of the table's own file, because most questions do not say which table they mean. */
export function tableItems(folder: string, count: number, seed: number): readonly Item[] {
  const all = toLines<TableQuestion>(join(folder, "questions.jsonl"));
  return sampleOf(all, count, seed).map(({ file, question, answers }) => ({
    set: "tables",
    where: "present",
    question,
    holds: holdsValue(answers),
    filter: { filenames: [file] },
  }));
}

interface ReceiptKey {
  readonly company?: string;
  readonly date?: string;
  readonly total?: string;
}

const RECEIPT_QUESTIONS = [
  ["What is the total amount on the receipt?", "total"],
  ["What is the date of the receipt?", "date"],
  ["Which company issued the receipt?", "company"],
] as const;

export function receiptItems(folder: string): readonly Item[] {
  return readdirSync(join(folder, "key"))
    .sort()
    .flatMap((name) => {
      const key = JSON.parse(readFileSync(join(folder, "key", name), "utf8")) as ReceiptKey;
      const filter = { filenames: [name.replace(/json$/, "jpg")] };
      return RECEIPT_QUESTIONS.flatMap(([question, field]): readonly Item[] => {
        const gold = key[field];
        if (gold === undefined) return [];
        const holds = field === "total" ? holdsValue([gold]) : holdsAny([gold]);
        return [{ set: "receipts", where: "present", question, holds, filter }];
      });
    });
}

function toLines<Line>(path: string): readonly Line[] {
  const lines = readFileSync(path, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Line);
}

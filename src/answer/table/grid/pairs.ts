// Forms laid out as tables: labels and values side by side, without a header.
import type { Block } from "../../../domain/document.ts";
import { readValue } from "./cell-value.ts";
import { type Split, splitHeader } from "./header.ts";
import { readLines } from "./table-lines.ts";

export interface Pair {
  readonly label: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** The pairs of such a table, row by row; empty for any other table. */
export function parsePairs(text: string, block: Block): readonly Pair[] {
  const lines = readLines(text, block);
  const split = splitHeader(lines, text, block);
  if (split === undefined || !isPairs(split)) return [];
  return lines.flatMap(({ cells, start, end }) => {
    const pairs: Pair[] = [];
    for (let at = 0; at + 1 < cells.length; at += 2) {
      const [label = "", value = ""] = [cells[at], cells[at + 1]];
      if (label !== "" && value !== "") pairs.push({ label, value, start, end });
    }
    return pairs;
  });
}

/** In a form, every other column contains labels, and the header looks like the body. */
export function isPairs({ header, body, width }: Split): boolean {
  if (width !== 2 && width !== 4) return false;
  const lines = [...header, ...body];
  const labels = lines.map(({ cells }) => cells[0] ?? "").filter((cell) => cell !== "");
  if (new Set(labels).size < labels.length || labels.some((cell) => readValue(cell))) return false;
  const values = lines.flatMap(({ cells }) => cells.filter((_, at) => at % 2 === 1));
  if (lines.some(({ cells }) => readValue(cells[2] ?? ""))) return false;
  const first = header[0]?.cells[1] ?? "";
  const typed = (cell: string) => readValue(cell)?.kind ?? (/@|\d/.test(cell) ? "code" : "text");
  // A table's column has one type; the values of a form have several.
  const mixed =
    new Set(
      values
        .slice(1)
        .filter((cell) => cell !== "")
        .map(typed),
    ).size > 1;
  if (width === 2) return /[:：]$/.test(labels[0] ?? "") || typed(first) !== "text" || mixed;
  const kinds = new Set(values.filter((cell) => cell !== "").map(typed));
  return (
    kinds.size > 1 && (typed(header[0]?.cells[3] ?? "") !== "text" || header[0]?.cells[0] === "")
  );
}

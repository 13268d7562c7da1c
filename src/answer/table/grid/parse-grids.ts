// Parses a document's Markdown table into columns and rows, with headers, sections and totals recognised.
import type { Block } from "../../../domain/document.ts";
import { toComparable } from "../comparable-text.ts";
import { readValue } from "./cell-value.ts";
import type { Column, Grid } from "./grid.ts";
import { isData, keyOf, labelsOf, typeOf } from "./grid-columns.ts";
import { isTotal, toRows } from "./grid-rows.ts";
import { type Split, splitHeader } from "./header.ts";
import { isPairs } from "./pairs.ts";
import { readLines } from "./table-lines.ts";
import { alignUnits } from "./units.ts";

export function parseGrids(text: string, block: Block, context: string): readonly Grid[] {
  const lines = readLines(text, block);
  const split = splitHeader(lines, text, block);
  if (split === undefined || isPairs(split)) return [];
  return sideBySide(split).flatMap((columns) => toGrid(split, columns, { block, context }) ?? []);
}

/** Splits two tables that are side by side under one row of group labels. */
function sideBySide({ header, body, width }: Split): readonly (readonly number[])[] {
  const all = Array.from({ length: width }, (_, at) => at);
  const [groups, names] = [header.at(0), header.at(-1)];
  if (!groups || !names || groups === names) return [all];
  const starts = all.filter((at) => groups.cells[at]);
  const firsts = starts.map((at) => names.cells[at] ?? "");
  const worded = (at: number) => body.filter(({ cells }) => isWord(cells[at] ?? "")).length;
  const same = starts.length > 1 && firsts[0] !== "" && firsts.every((name) => name === firsts[0]);
  if (!same || starts.some((at) => worded(at) < body.length / 2)) return [all];
  return starts.map((from, at) => all.slice(from, starts[at + 1] ?? width));
}

function isWord(cell: string): boolean {
  return cell !== "" && readValue(cell) === undefined && /\p{L}{2}/u.test(cell);
}

function toGrid(
  split: Split,
  taken: readonly number[],
  { block, context }: { readonly block: Block; readonly context: string },
): Grid | undefined {
  const headers = split.header.map(({ cells }) => taken.map((at) => cells[at] ?? ""));
  const labels = taken.map((_, at) => labelsOf(headers, at));
  const rows = alignUnits(toRows(split.body, taken, headers));
  const data = rows.filter(({ cells }) => !isTotal(cells));
  if (data.length === 0 || labels.every((label) => label.length === 0)) return undefined;
  // A label above every column describes the table, not a column.
  const shared = labels[0]?.filter((label) => labels.every((of) => of.includes(label))) ?? [];
  const columns = labels.map((all, at): Column => {
    const own = all.filter((label) => !shared.includes(label));
    const address = split.addresses ? split.addresses[taken[at] ?? 0] : taken[at];
    return {
      name: own.at(-1) ?? "",
      group: own.slice(0, -1).join(" "),
      type: typeOf(data, at),
      ...(address !== undefined && { address }),
    };
  });
  if (columns.some(({ name, type }) => type === "number" && isData(name))) return undefined;
  const named = headers.flat().filter((cell) => cell !== "");
  const over = [context, ...shared].join("\n");
  return {
    columns,
    rows: data,
    totals: rows.filter(({ cells }) => isTotal(cells)),
    place: block.place,
    isSheet: block.sheetCells !== undefined,
    context: over,
    about: toComparable([over, ...named].join("\n")),
    headers: named,
    key: keyOf(columns, data),
  };
}

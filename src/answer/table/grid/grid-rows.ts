// Reads the rows below a header: data, section labels, totals and repeated headers.

import { foldInPlace } from "../comparable-text.ts";
import { readValue } from "./cell-value.ts";
import type { Row } from "./grid.ts";
import type { Line } from "./table-lines.ts";

const TOTAL =
  /^(?:grand |sub-?|overall |net )?totals?\b|^sum\b|^(?:all|overall)$|^averages?\b|^mean\b|^(?:総|小|合)?計$|^合計|^総計|^小計|^総合計|^平均/iu;

export function toRows(
  body: readonly Line[],
  taken: readonly number[],
  headers: readonly (readonly string[])[],
): readonly Row[] {
  const rows: Row[] = [];
  let section = "";
  for (const { cells: all, start, end, address } of body) {
    const cells = taken.map((at) => all[at] ?? "");
    const filled = cells.filter((cell) => cell !== "");
    if (filled.length === 0 || repeatsHeader(cells, headers)) continue;
    if (filled.length === 1 && cells[0] !== "" && taken.length > 2 && !isTotal(cells)) {
      section = cells[0] ?? "";
      continue;
    }
    const values = cells.map(readValue);
    const folded = foldInPlace(`${section}\n${cells.join("\n")}`);
    const at = address === undefined ? {} : { address };
    rows.push({ cells, values, start, end, section, folded, ...at });
  }
  return rows;
}

/** Detects a header that is repeated in the middle of a table. */
function repeatsHeader(cells: readonly string[], headers: readonly (readonly string[])[]): boolean {
  return headers.some((header) => cells.every((cell, at) => cell === "" || cell === header[at]));
}

export function isTotal(cells: readonly string[]): boolean {
  const label = cells.find((cell) => cell !== "") ?? "";
  return TOTAL.test(label.replace(/[:：]\s*$/, ""));
}

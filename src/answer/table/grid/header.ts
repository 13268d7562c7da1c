// Separates a table's header rows from its body.
import type { Block } from "../../../domain/document.ts";
import { readValue } from "./cell-value.ts";
import type { Line } from "./table-lines.ts";

export interface Split {
  readonly header: readonly Line[];
  readonly body: readonly Line[];
  readonly width: number;
  readonly addresses: readonly number[] | undefined;
}

const MOST_NOTES = 8;

export function splitHeader(lines: readonly Line[], text: string, block: Block): Split | undefined {
  const marked = lines.filter(({ start }) => start < (block.headerEnd ?? block.start + 1)).length;
  const width = Math.max(0, ...lines.map(({ cells }) => cells.length));
  if (lines.length < 2 || width < 2 || text === "") return undefined;
  const header = realHeaderAt(lines, Math.max(1, marked));
  if (header > 0)
    return splitHeader(lines.slice(header), text, { ...block, headerEnd: block.start });
  let count = Math.max(1, marked);
  // Extractors mark at least one header row; a second one below merged labels looks like data to them.
  while (count < Math.min(3, lines.length - 1) && isSubHeader(lines, count)) count++;
  return {
    header: lines.slice(0, count),
    body: lines.slice(count),
    width,
    addresses: block.sheetCells?.columns,
  };
}

/** Notes above a sheet's table are extracted as its header. The real one is a full row of labels above typed cells. */
function realHeaderAt(lines: readonly Line[], marked: number): number {
  const filled = ({ cells }: Line) => cells.filter((cell) => cell !== "").length;
  const width = Math.max(...lines.map(filled));
  const first = lines[0];
  if (!first || marked > 1 || width < 3 || filled(first) > width / 2) return 0;
  const at = lines.slice(0, MOST_NOTES).findIndex((line, order) => {
    const below = lines.slice(order + 1, order + 4);
    const isFull = filled(line) >= width - 1 && line.cells.every(isLabel);
    return isFull && below.some((each) => each.cells.some((cell) => readValue(cell)));
  });
  // A single row above it with two or more labels is a row of merged labels, not a note.
  const above = lines.slice(0, Math.max(0, at));
  return above.length > 1 || above.some((line) => filled(line) < 2) ? Math.max(0, at) : 0;
}

function isSubHeader(lines: readonly Line[], at: number): boolean {
  const [above, row, below] = [lines[at - 1], lines[at], lines[at + 1]];
  if (!above || !row || !below) return false;
  const filled = row.cells.filter((cell) => cell !== "");
  const gaps = above.cells.some((cell, column) => cell === "" && row.cells[column]);
  const labels = filled.every((cell) => isLabel(cell));
  const distinct = new Set(filled).size > 1;
  const data = lines
    .slice(at + 1, at + 6)
    .some(({ cells }) => cells.some((cell) => readValue(cell)));
  const repeats = above.cells.some((cell, column) => cell !== "" && row.cells[column] === cell);
  return filled.length > 1 && labels && distinct && data && (gaps || repeats);
}

/** Years are common column names. */
export function isLabel(cell: string): boolean {
  return readValue(cell) === undefined || /^(?:19|20)\d\d$/.test(cell);
}

// Reads the rows of a Markdown table: cells without markup, and the position of each row.

interface Table {
  readonly start: number;
  readonly end: number;
  readonly sheetCells?: { readonly rows: readonly (readonly [first: number, count: number])[] };
}

export interface Line {
  readonly cells: readonly string[];
  readonly start: number;
  readonly end: number;
  readonly address?: number;
}

/** Parsing this many cells takes about 50 ms. */
const MAX_CELLS = 200_000;
const RULE = /^\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-{2,}:?)?\s*$/;

function cellsOf(row: string): readonly string[] {
  const inner = row
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => unmark(cell.replaceAll("\\|", "|")).trim());
}

function unmark(cell: string): string {
  return cell.replace(/\*\*|__|`/g, "").replace(/\[([^[\]]{0,300})\]\([^()\s]{0,500}\)/g, "$1");
}

export function readLines(text: string, block: Table): readonly Line[] {
  const lines: Line[] = [];
  const addresses = rowAddresses(block);
  let cells = 0;
  for (let start = block.start; start < block.end; ) {
    const cut = text.indexOf("\n", start);
    const end = cut < 0 || cut > block.end ? block.end : cut;
    const line = text.slice(start, end);
    if (line.includes("|") && !RULE.test(line)) {
      const row = { cells: cellsOf(line), start, end };
      const address = addresses.next().value;
      lines.push(address === undefined ? row : { ...row, address });
      cells += row.cells.length;
      if (cells > MAX_CELLS) break;
    }
    start = end + 1;
  }
  return lines;
}

/** If the source has no addresses, rows are numbered from 1. */
function* rowAddresses({ sheetCells }: Table): Generator<number, undefined> {
  const counted: readonly (readonly [number, number])[] = [[1, MAX_CELLS]];
  for (const [first, count] of sheetCells?.rows ?? counted)
    for (let at = 0; at < count; at++) yield first + at;
  return undefined;
}

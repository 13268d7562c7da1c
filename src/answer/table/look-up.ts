// Looks up one cell: where the question names one row and one column of a table, both unambiguously, and nothing else.
import type { Block, Chunk, ExtractedDocument } from "../../domain/document.ts";
import type { Passage } from "../../domain/passage.ts";
import type { DocumentReader } from "../answer-from-passages.ts";
import type { Claim, TableCells } from "../citations.ts";
import { type Grid, parseGrid } from "./grid.ts";
import { type FoundCell, findCell, toTableQuestion } from "./name-cell.ts";

// If a table answers the question, it is in one of the first passages.
const FIRST_PASSAGES = 4;
const MAX_DOCUMENTS = 2;
const ROW = /^\s*\|.*\|/m;

/** The cell, unless two tables give different ones. */
export async function lookUp(
  query: string,
  found: readonly Passage[],
  documents: DocumentReader,
): Promise<readonly Claim[]> {
  const tabular = found.slice(0, FIRST_PASSAGES).filter(({ text }) => ROW.test(text));
  const ids = [...new Set(tabular.map(({ documentId }) => documentId))].slice(0, MAX_DOCUMENTS);
  const read = await Promise.all(ids.map((id) => documents.extracted(id)));
  const cells = ids.flatMap((id, at) => {
    const document = read[at];
    const passages = tabular.filter(({ documentId }) => documentId === id);
    return document ? findIn(query, document, passages) : [];
  });
  const values = new Set(cells.map(({ value }) => value));
  const [cell] = cells;
  return cell && values.size === 1 ? toClaims(cell, documents) : [];
}

interface Placed extends FoundCell {
  readonly passage: Passage;
  readonly grid: Grid;
  readonly number: number;
}

function findIn(
  query: string,
  document: ExtractedDocument,
  passages: readonly Passage[],
): readonly Placed[] {
  const tables = document.blocks.filter(({ kind }) => kind === "table");
  return tables.flatMap((block, at) => {
    const passage = passages.find(({ start, end }) => start < block.end && end > block.start);
    const grid = passage && parseGrid(document.text, block);
    const asked = grid && toTableQuestion(query, aboutOf(document, block, passage));
    const cell = grid && asked && findCell(asked, grid);
    return cell ? [{ ...cell, passage, grid, number: at + 1 }] : [];
  });
}

/** What people may call the table: its title, file name, headings and the line above it. */
function aboutOf({ text, blocks }: ExtractedDocument, block: Block, passage: Passage): string {
  const above = blocks.filter(({ start }) => start < block.start).at(-1);
  const line = above ? text.slice(above.start, Math.min(above.end, above.start + 300)) : "";
  const name = passage.filename.replace(/\.[^.]+$/, "").replace(/[-_.]+/g, " ");
  return [name, passage.title ?? "", block.place.sheet ?? "", ...passage.headings, line].join("\n");
}

/** The row may be in another chunk of the table than the one that was found. */
async function toClaims(cell: Placed, documents: DocumentReader): Promise<readonly Claim[]> {
  const { row, passage } = cell;
  const holds = ({ start, end }: { start: number; end: number }) =>
    start <= row.start && end >= row.end;
  const chunk = holds(passage)
    ? undefined
    : (await documents.chunksOf(passage.documentId)).find(holds);
  const source = chunk ? inChunk(passage, chunk) : passage;
  if (!holds(source)) return [];
  const span = { start: row.start - source.start, end: row.end - source.start };
  const at = source.text.slice(span.start, span.end).indexOf(cell.value);
  const likely = { start: span.start + at, end: span.start + at + cell.value.length };
  return [
    {
      text: wordCell(cell.grid, cell),
      passage: source,
      spans: [span],
      ownLine: true,
      table: describeCells(cell.grid, cell, cell.number),
      ...(at >= 0 && { likely }),
    },
  ];
}

/** A chunk that the search did not find has the relevance of the passage of the same table. */
function inChunk(sibling: Passage, chunk: Chunk & { readonly id: string }): Passage {
  const { until: _, tableHeader: __, ...rest } = sibling;
  const { id, ordinal, start, end, text, place, until, headings, tableHeader } = chunk;
  return {
    ...rest,
    ...{ chunkId: id, ordinal, start, end, text, place, headings },
    ...(until && { until }),
    ...(tableHeader !== undefined && { tableHeader }),
  };
}

// Formats a cell as an answer: "Population: 13298000 (City: Tokyo; Latitude: 35.67°)", and its address.

const MAX_CELLS = 8;

function wordCell({ names }: Grid, { row, column, value }: FoundCell): string {
  const pair = (cell: string, at: number) => (names[at] ? `${names[at]}: ${cell}` : cell);
  const rest = row.cells.flatMap((cell, at) =>
    at === column || cell === "" ? [] : [pair(cell, at)],
  );
  const asked = pair(value, column);
  return rest.length === 0 ? asked : `${asked} (${rest.slice(0, MAX_CELLS).join("; ")})`;
}

/** "D4" in a sheet, "R4C4" in any other table; rows are counted including the header. */
function describeCells(
  { names, block: { sheetCells } }: Grid,
  { row: { address }, column }: FoundCell,
  number: number,
): TableCells {
  const at = sheetCells ? sheetCells.columns[column] : column;
  const isKnown = address !== undefined && at !== undefined;
  const cell = isKnown && (sheetCells ? `${letters(at)}${address}` : `R${address}C${at + 1}`);
  return { header: names, ...(!sheetCells && { number }), ...(cell && { cells: [cell] }) };
}

function letters(column: number): string {
  let name = "";
  for (let left = column; left >= 0; left = Math.floor(left / 26) - 1)
    name = String.fromCharCode(65 + (left % 26)) + name;
  return name;
}

// Answers from tables of the found documents by looking up, comparing, counting and adding up cells.
import type { Block, Chunk, ExtractedDocument } from "../../domain/document.ts";
import type { Passage } from "../../domain/passage.ts";
import type { Claim } from "../citations.ts";
import type { TableSignals } from "../confidence/signals.ts";
import type { Library } from "../document-reader.ts";
import type { Row } from "./grid/grid.ts";
import { parseGrids } from "./grid/parse-grids.ts";
import { type Solution, solve } from "./solve/solve.ts";
import type { TableQuestion } from "./table-question.ts";
import { describeCells, wordSolution } from "./wording.ts";

export interface TableAnswer {
  readonly claims: readonly Claim[];
  readonly signals: TableSignals;
  readonly solution: Solution;
}

// Limits the documents read: if a table answers the question, it is in one of the first passages.
const MOST_DOCUMENTS = 3;
const FIRST_PASSAGES = 8;
const MOST_TABLES = 40;
const MOST_CITED = 6;
const ROW = /^\s*\|.*\|/m;

export async function answerFromTables(
  question: TableQuestion,
  found: readonly Passage[],
  documents: Library,
): Promise<readonly TableAnswer[]> {
  // A cell cannot answer "why".
  if (/^\s*why\b|なぜ|どうして/iu.test(question.text)) return [];
  const tabular = found.slice(0, FIRST_PASSAGES).filter(({ text }) => ROW.test(text));
  const ids = [...new Set(tabular.map(({ documentId }) => documentId))].slice(0, MOST_DOCUMENTS);
  const places = ids.map((id) => {
    const passages = found.filter(({ documentId }) => documentId === id);
    return { id, passages, reading: passages[0] && documents.known(passages[0]) };
  });
  const answers: TableAnswer[] = [];
  for (const { id, passages, reading } of places) {
    const known = await reading;
    if (!known) continue;
    const { document, recall } = known;
    // The value is the same for all tables of a document: the other signals decide between them,
    // not the search.
    const near = 1 / (1 + found.findIndex(({ documentId }) => documentId === id));
    for (const block of tablesOf(document, passages)) {
      const grids = recall(`tables at ${block.start}`, () =>
        parseGrids(document.text, block, contextOf(document, block, passages[0])),
      );
      const number = numberOf(document, block);
      const solutions = grids.flatMap((grid) => solve(question, grid) ?? []);
      for (const solution of mostExtreme(question, solutions)) {
        const claims = await toClaims(question, solution, { id, documents, passages, number });
        answers.push({ claims, solution, signals: { ...solution.signals, near } });
      }
    }
  }
  return answers.filter(({ claims }) => claims.length > 0);
}

function fitsAsWell({ signals: one }: Solution, { signals: other }: Solution): boolean {
  const { explained, column, row, conflicts, strange } = one;
  return (
    explained >= other.explained &&
    column >= other.column &&
    row >= other.row &&
    conflicts <= other.conflicts &&
    strange <= other.strange
  );
}

/** Adjacent tables with the same columns form one list, unless the question names one of them. */
function mostExtreme(
  { ask: { operation, hint } }: TableQuestion,
  solutions: readonly Solution[],
): readonly Solution[] {
  // The oldest and the fastest have the smallest value.
  if (operation.kind !== "extreme" || hint === "age" || hint === "speed") return solutions;
  const measured = ({ grid, rows, targets }: Solution) => {
    const at = targets.at(-1) ?? 0;
    return { name: grid.columns[at]?.name, value: rows[0]?.values[at]?.value ?? Number.NaN };
  };
  const isBeaten = (own: Solution) => {
    const { name, value } = measured(own);
    return solutions.some((other) => {
      const by = measured(other);
      if (by.name !== name || !fitsAsWell(other, own)) return false;
      return operation.most ? by.value > value : by.value < value;
    });
  };
  return solutions.filter((solution) => !isBeaten(solution));
}

/** Tables that overlap a found passage come first. */
function tablesOf({ blocks }: ExtractedDocument, passages: readonly Passage[]): readonly Block[] {
  const tables = blocks.filter(({ kind }) => kind === "table");
  const touched = (block: Block) => passages.some((passage) => overlaps(passage, block));
  return [...tables.filter(touched), ...tables.filter((block) => !touched(block))].slice(
    0,
    MOST_TABLES,
  );
}

function numberOf({ blocks }: ExtractedDocument, block: Block): number {
  return blocks.filter(({ kind }) => kind === "table").indexOf(block) + 1;
}

function overlaps(a: { start: number; end: number }, b: { start: number; end: number }): boolean {
  return a.start < b.end && a.end > b.start;
}

/** What people may call the table: its title, file name, headings and the line above it. */
function contextOf(
  { text, blocks }: ExtractedDocument,
  block: Block,
  passage: Passage | undefined,
): string {
  const above = blocks.filter((each) => each.start < block.start);
  const textOf = ({ start, end }: Block) => text.slice(start, Math.min(end, start + 300));
  const last = above.at(-1);
  const isLine = last?.kind === "paragraph" || last?.kind === "figure";
  const name = passage?.filename.replace(/\.[^.]+$/, "").replace(/[-_.]+/g, " ") ?? "";
  return [
    name,
    passage?.title ?? "",
    block.place.sheet ?? "",
    ...headingsOver(above).map(textOf),
    last !== undefined && isLine ? textOf(last) : "",
  ].join("\n");
}

function headingsOver(above: readonly Block[]): readonly Block[] {
  const path: Block[] = [];
  for (const block of above) {
    if (block.kind !== "heading") continue;
    while ((path.at(-1)?.level ?? (path.length > 0 ? 1 : 0)) >= (block.level ?? 1)) path.pop();
    path.push(block);
  }
  return path;
}

interface Where {
  readonly id: string;
  readonly documents: Library;
  readonly passages: readonly Passage[];
  /** The table's number in the document. */
  readonly number: number;
}

/** Makes one statement; rows from other chunks only add citations. */
async function toClaims(
  question: TableQuestion,
  solution: Solution,
  where: Where,
): Promise<readonly Claim[]> {
  const text = wordSolution(question, solution);
  const cited = await citedRows(solution, where);
  return cited.map(({ passage, rows }, at) => ({
    text: at === 0 ? text : "",
    passage,
    spans: rows.map(({ start, end }) => ({
      start: start - passage.start,
      end: end - passage.start,
    })),
    ownLine: true,
    table: describeCells(solution, rows, where.number),
  }));
}

async function citedRows({ rows }: Solution, { id, documents, passages }: Where) {
  const shown = rows.slice(0, MOST_CITED * 4);
  const covers =
    ({ start, end }: Row) =>
    (passage: { start: number; end: number }) =>
      passage.start <= start && passage.end >= end;
  const lost = shown.some((row) => !passages.some(covers(row)));
  const more = lost ? await documents.chunksOf(id) : [];
  const [best] = passages;
  const byChunk = new Map<string, { passage: Passage; rows: Row[] }>();
  for (const row of shown) {
    const chunk = more.find(covers(row));
    const passage = passages.find(covers(row)) ?? (chunk && best && toPassage(best, chunk));
    if (!passage) continue;
    const entry = byChunk.get(passage.chunkId) ?? { passage, rows: [] };
    entry.rows.push(row);
    byChunk.set(passage.chunkId, entry);
  }
  return [...byChunk.values()].slice(0, MOST_CITED);
}

/** A chunk that the search did not find gets the relevance of a passage of the same document. */
function toPassage(sibling: Passage, chunk: Chunk & { readonly id: string }): Passage {
  const { until: _, tableHeader: __, ...rest } = sibling;
  const { ordinal, start, end, text, place, until, headings, tableHeader } = chunk;
  return {
    ...rest,
    chunkId: chunk.id,
    ...{ ordinal, start, end, text, place, headings },
    ...(until && { until }),
    ...(tableHeader !== undefined && { tableHeader }),
  };
}

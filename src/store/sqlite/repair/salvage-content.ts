// Salvages a document's text from a damaged database, checked against its chunks, which contain the same text.
import type { DatabaseSync } from "node:sqlite";
import type { Block, StoredDocument } from "../../../domain/document.ts";
import { unpackEncoding } from "../../core/encodings.ts";
import { unpackText } from "../../core/packed-text.ts";
import { type ChunkRow, toChunk } from "../../core/rows.ts";
import type { IndexedChunk } from "../../store.ts";
import { splitTerms } from "../../words/chunk-terms.ts";
import { readAll, scanTable } from "../check/scan.ts";
import { CHUNK_COLUMNS } from "../rows.ts";
import { restore } from "../vectors/quantise.ts";
import type { SalvagedDocument } from "./salvage.ts";

export interface SalvagedContent {
  readonly text: string;
  readonly blocks: readonly Block[];
  /** Chunks that match the text and whose terms are readable. */
  readonly chunks: readonly IndexedChunk[];
  /** False if the document must be reindexed. */
  readonly isIndexed: boolean;
  /** The chunks' encodings; if they are unreadable, the vectors are checked again. */
  readonly encoders?: string;
  /** Set if the text was reassembled from the chunks: how much of it is missing. */
  readonly partial?: string;
}

/** Belongs to no encoder, so the vectors are checked again. */
const UNKNOWN_ENCODERS = "repair";

type StoredChunkRow = ChunkRow & { readonly terms: string };

/** The keys of each document's chunks, read once. */
export type Index = ReadonlyMap<number, readonly number[]>;

export function salvageIndex(database: DatabaseSync): Index {
  const columns = { table: "chunks", key: "key", columns: "doc" };
  const { rows } = scanTable<{ readonly doc: number }>(database, columns);
  const keys = new Map<number, number[]>();
  for (const [key, { doc }] of rows) {
    const own = keys.get(doc);
    if (own) own.push(key);
    else keys.set(doc, [key]);
  }
  return keys;
}

export function salvageContent(
  database: DatabaseSync,
  { doc, document }: SalvagedDocument,
  keys: Index,
): SalvagedContent | undefined {
  const stored = readText(database, doc);
  const rows = (keys.get(doc) ?? []).flatMap((key) => readChunk(database, key));
  const agreeing = stored
    ? rows.filter((row) => row.text === stored.text.slice(row.start, row.end).toWellFormed())
    : rows;
  if (stored && (agreeing.length > 0 || rows.length === 0)) {
    const vectors = readVectors(database, agreeing);
    const plain = agreeing.flatMap((row) => toIndexed(row, { document, vectors }));
    const hasAll = plain.length === document.chunkCount;
    const { chunks, encoders } = withEncodings(database, doc, plain);
    // Either the text or these passages are damaged.
    const partial =
      agreeing.length < rows.length ? { partial: "passages that contradict its text" } : {};
    return { ...stored, chunks, encoders, isIndexed: hasAll && chunks.length > 0, ...partial };
  }
  return rows.length === 0 ? undefined : fromChunks(rows, document);
}

/** Only for fully refined documents; until then new vectors are kept apart. */
function withEncodings(database: DatabaseSync, doc: number, chunks: readonly IndexedChunk[]) {
  const sql = "SELECT encoders, made FROM encodings WHERE doc = ? AND unchecked + waiting = 0";
  const [row] = readAll<{ encoders: string; made: Uint8Array }>(database, sql, doc) ?? [];
  if (row?.made?.length !== chunks.length) return { chunks, encoders: UNKNOWN_ENCODERS };
  const encoded = chunks.map((chunk, at) => {
    const encoding = unpackEncoding(row.made[at]);
    return encoding ? { ...chunk, encoding } : chunk;
  });
  return { chunks: encoded, encoders: row.encoders };
}

function readText(database: DatabaseSync, doc: number) {
  const [row] =
    readAll<{ body: Uint8Array }>(database, "SELECT body FROM texts WHERE doc = ?", doc) ?? [];
  if (!row) return undefined;
  try {
    const { text, blocks } = unpackText(row.body);
    const fits = ({ start, end }: Block) => start >= 0 && start <= end && end <= text.length;
    return typeof text === "string" && blocks.every(fits) ? { text, blocks } : undefined;
  } catch {
    return undefined;
  }
}

function readChunk(database: DatabaseSync, key: number): readonly StoredChunkRow[] {
  const sql = `SELECT ${CHUNK_COLUMNS}, terms FROM chunks WHERE key = ?`;
  const rows = readAll<StoredChunkRow>(database, sql, key) ?? [];
  return rows.filter(({ text, detail, start, end }) => {
    try {
      JSON.parse(detail);
      return typeof text === "string" && end - start === text.length;
    } catch {
      return false;
    }
  });
}

function toIndexed(
  row: StoredChunkRow,
  {
    document,
    vectors,
  }: {
    readonly document: StoredDocument;
    readonly vectors: ReadonlyMap<number, Float32Array>;
  },
): readonly IndexedChunk[] {
  if (typeof row.terms !== "string") return [];
  const { key: _key, id: _id, document: _document, ...plain } = toChunk(row, document);
  const vector = vectors.get(row.key);
  return [{ ...plain, terms: splitTerms(row.terms), ...(vector ? { vector } : {}) }];
}

/** A vector that was not overwritten has length 1. */
function readVectors(database: DatabaseSync, rows: readonly StoredChunkRow[]) {
  const found = new Map<number, Float32Array>();
  const first = rows[0];
  if (!first) return found;
  const sql =
    "SELECT first_key, dimensions, vectors FROM segments WHERE first_key <= ? ORDER BY first_key DESC LIMIT 1";
  const [segment] =
    readAll<{ first_key: number; dimensions: number; vectors: Uint8Array | null }>(
      database,
      sql,
      first.key,
    ) ?? [];
  if (!segment?.vectors || segment.vectors.length % (segment.dimensions + 4) !== 0) return found;
  for (const [at, vector] of restore(segment.vectors, segment.dimensions).entries()) {
    if (vector && Math.abs(Math.hypot(...vector) - 1) < 0.01)
      found.set(segment.first_key + at, vector);
  }
  return found;
}

/** Lost text is replaced by blanks, so that the rest keeps its offsets. */
function fromChunks(rows: readonly StoredChunkRow[], document: StoredDocument): SalvagedContent {
  const length = Math.max(...rows.map((row) => row.end));
  const characters = new Array<string>(length).fill(" ");
  const blocks: Block[] = [];
  for (const row of rows.toSorted((a, b) => a.start - b.start)) {
    for (let at = 0; at < row.text.length; at++) characters[row.start + at] = row.text[at] ?? " ";
    const { place } = toChunk(row, document);
    const start = Math.max(row.start, blocks.at(-1)?.end ?? 0);
    if (start < row.end) blocks.push({ kind: "paragraph", start, end: row.end, place });
  }
  const partial = describeGaps(document.chunkCount, rows.length);
  return { text: characters.join(""), blocks, chunks: [], isIndexed: false, ...partial };
}

/** If there was only one passage, it is the whole text. */
function describeGaps(expected: number, found: number): { readonly partial?: string } {
  if (expected === 1 && found === 1) return {};
  const lost = Math.max(0, expected - found);
  return { partial: `${lost} of its ${expected} passages, and its headings and tables` };
}

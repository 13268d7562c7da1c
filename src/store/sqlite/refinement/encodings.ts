// Which encoder made each vector of a document, stored next to its chunks.
import { countOpen, packEncodings } from "../../core/refinement.ts";
import type { Database } from "../database.ts";
import { LAST_ADDITION } from "../schema.ts";
import type { PackedChunks } from "../thread/packed-messages.ts";

export interface EncodingRow {
  readonly encoders: string;
  readonly made: Uint8Array;
}

/** Inside the transaction that stores the chunks. Without `encoders` the document is checked later. */
export function insertEncodings(
  database: Database,
  { doc, firstKey, encoders }: { doc: number; firstKey: number; encoders: string | undefined },
  { rows }: PackedChunks,
): void {
  database.run("DELETE FROM encodings WHERE doc = ?", doc);
  if (encoders === undefined || rows.length === 0) return;
  const made = packEncodings(rows.map(({ encoding }) => encoding));
  const { unchecked, waiting } = countOpen(made);
  database.run(
    `INSERT INTO encodings (doc, first_key, encoders, made, unchecked, waiting, changed)
     VALUES (?, ?, ?, ?, ?, ?, 0)`,
    doc,
    firstKey,
    encoders,
    made,
    unchecked,
    waiting,
  );
}

/** A read-only folder may contain a database from before encodings existed. */
export function openHasEncodings(database: Database): () => boolean {
  const state = { has: false };
  return () => {
    state.has ||=
      database.get("SELECT 1 FROM sqlite_schema WHERE name = ?", LAST_ADDITION) !== undefined;
    return state.has;
  };
}

export function readEncodings(
  database: Database,
  doc: number,
  firstKey: number,
): EncodingRow | undefined {
  if (!openHasEncodings(database)()) return undefined;
  return database.get<EncodingRow>(
    "SELECT encoders, made FROM encodings WHERE doc = ? AND first_key = ?",
    doc,
    firstKey,
  );
}

export interface RefinedRow {
  readonly key: number;
  /** One vector, as encoded by `quantise`. */
  readonly vector: Uint8Array;
}

/** New vectors of a long document that are not part of its segment yet. */
export function readRefined(database: Database, doc: number): readonly RefinedRow[] {
  return database.all<RefinedRow>("SELECT key, vector FROM refined_vectors WHERE doc = ?", doc);
}

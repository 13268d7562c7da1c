// Stores and removes chunks. They are immutable: a new version has new keys, and the old keys are logged as
// removed, so that readers in other processes can follow.
import type { Database } from "../database.ts";
import type { DocumentRow } from "../rows.ts";
import type { PackedChunks } from "../thread/packed-messages.ts";
import { quantise, vectorCount } from "../vectors/quantise.ts";
import { addPostings, removePostings } from "../words/postings.ts";

/** Readers that are more than this many removals behind reload everything. */
const REMOVALS_KEPT = 10_000;

export function insertChunks(
  database: Database,
  { doc, text }: { readonly doc: number; readonly text: string },
  chunks: PackedChunks,
): { firstKey: number; vectors: number } {
  const { rows, dimensions, vectors } = chunks;
  const firstKey =
    Number(
      database.get<{ key: number }>(
        "UPDATE state SET next_key = next_key + ? WHERE id = 1 RETURNING next_key AS key",
        rows.length,
      )?.key,
    ) - rows.length;
  const terms = rows.map((row) => (row.terms === "" ? [] : row.terms.split("\0")));
  const ids = addPostings(database, firstKey, terms);
  const insert = database.statement(
    `INSERT INTO chunks (key, doc, ordinal, start, "end", text, detail, terms) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  rows.forEach((row, index) => {
    const slice = text.slice(row.start, row.end);
    const stored = ids[index] as Uint8Array;
    insert.run(firstKey + index, doc, row.ordinal, row.start, row.end, slice, row.detail, stored);
  });
  const lengths = Uint32Array.from(terms, (list) => list.length);
  if (rows.length > 0) {
    database.run(
      "INSERT INTO segments (first_key, doc, count, lengths, dimensions, vectors) VALUES (?, ?, ?, ?, ?, ?)",
      firstKey,
      doc,
      rows.length,
      new Uint8Array(lengths.buffer),
      dimensions,
      dimensions === 0 ? null : quantise(vectors, dimensions),
    );
  }
  addLength(database, sumOf(lengths));
  return { firstKey, vectors: vectorCount(vectors, dimensions) };
}

function addLength(database: Database, length: number): void {
  database.run("UPDATE state SET total_length = total_length + ? WHERE id = 1", length);
}

function sumOf(lengths: Uint32Array): number {
  return lengths.reduce((total, length) => total + length, 0);
}

export function dropChunks(database: Database, row: DocumentRow): void {
  if (row.chunk_count === 0) return;
  const firstKey = row.first_key;
  const lastKey = firstKey + row.chunk_count - 1;
  const terms = database.all<{ terms: Uint8Array }>(
    "SELECT terms FROM chunks WHERE key BETWEEN ? AND ?",
    firstKey,
    lastKey,
  );
  const segment = database.get<{ lengths: Uint8Array }>(
    "SELECT lengths FROM segments WHERE first_key = ?",
    firstKey,
  );
  const lengths = new Uint32Array((segment?.lengths ?? new Uint8Array()).slice().buffer);
  addLength(database, -sumOf(lengths));
  database.run("DELETE FROM chunks WHERE key BETWEEN ? AND ?", firstKey, lastKey);
  database.run("DELETE FROM segments WHERE first_key = ?", firstKey);
  removePostings(
    database,
    { firstKey, lastKey },
    terms.map((chunk) => chunk.terms),
  );
  noteRemoval(database, firstKey, lastKey);
}

export function noteRemoval(database: Database, firstKey: number, lastKey: number): void {
  const state = database.get<{ seq: number }>(
    "UPDATE state SET removals = removals + 1 WHERE id = 1 RETURNING removals AS seq",
  );
  const seq = Number(state?.seq);
  database.run(
    "INSERT INTO removals (seq, first_key, last_key) VALUES (?, ?, ?)",
    seq,
    firstKey,
    lastKey,
  );
  const dropped = seq - REMOVALS_KEPT;
  if (dropped > 0) {
    database.run("DELETE FROM removals WHERE seq <= ?", dropped);
    database.run("UPDATE state SET removals_dropped = ? WHERE id = 1", dropped);
  }
}

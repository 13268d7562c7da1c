// Stores new vectors for existing chunks, the only thing about a chunk that ever changes. Short documents get them
// in their segment at once; those of a long one are kept apart until complete, because a segment is written whole.
import { countOpen, type RefinedChunk, withEncodings } from "../../core/refinement.ts";
import type { RefinedDocument } from "../../store.ts";
import type { Database } from "../database.ts";
import { quantise } from "../vectors/quantise.ts";
import { readRefined } from "./encodings.ts";

/** Documents with up to this many vectors (about 100 kB) are rewritten with each step. */
const WRITTEN_WHOLE = 256;

interface HeldRow {
  readonly doc: number;
  readonly first_key: number;
  readonly made: Uint8Array;
}

interface SegmentRow {
  readonly count: number;
  readonly dimensions: number;
  readonly vectors: Uint8Array | null;
}

export function openVectorWriter(database: Database) {
  return {
    storeRefined: (worker: string, documents: readonly RefinedDocument[]): number =>
      database.write(() => {
        // Readers watch this number to notice new vectors; nothing visible in the document has changed.
        const state = database.get<{ changes: number }>(
          "UPDATE state SET changes = changes + 1 WHERE id = 1 RETURNING changes",
        );
        const changed = Number(state?.changes);
        const store = (document: RefinedDocument) =>
          storeDocument(database, document, { worker, changed });
        return documents.reduce((sum, each) => sum + store(each), 0);
      }),
  };
}

/** Returns how many chunks were stored; 0 if the worker's lease on the document has ended. */
function storeDocument(
  database: Database,
  document: RefinedDocument,
  { worker, changed }: { readonly worker: string; readonly changed: number },
): number {
  const row = database.get<HeldRow>(
    `SELECT doc, first_key, made FROM encodings JOIN documents USING (doc, first_key)
     WHERE id = ? AND worker = ?`,
    document.id,
    worker,
  );
  if (!row) return 0;
  const chunks = document.chunks.filter(({ key }) => isWithin(row, key));
  const changes = chunks.map(({ key, encoding }) => ({ at: key - row.first_key, encoding }));
  const made = withEncodings(row.made, changes);
  const { unchecked, waiting } = countOpen(made);
  const isLast = unchecked + waiting === 0;
  const isNew = storeVectors(database, { row, chunks, changed, isLast });
  database.run(
    `UPDATE encodings SET made = ?, unchecked = ?, waiting = ?, worker = NULL, changed = iif(?, ?, changed)
     WHERE doc = ?`,
    made,
    unchecked,
    waiting,
    isNew ? 1 : 0,
    changed,
    row.doc,
  );
  return chunks.length;
}

function isWithin({ first_key: first, made }: HeldRow, key: number): boolean {
  return key >= first && key < first + made.length;
}

interface NewVectors {
  readonly row: HeldRow;
  readonly chunks: readonly RefinedChunk[];
  readonly changed: number;
  /** True if nothing is left to do for the document. */
  readonly isLast: boolean;
}

/** True if the document's segment was written. */
function storeVectors(database: Database, { row, chunks, changed, isLast }: NewVectors): boolean {
  const fresh = chunks.flatMap(({ key, vector }) => (vector ? [{ key, vector }] : []));
  const coded = fresh.map(({ key, vector }) => ({ key, vector: quantise(vector, vector.length) }));
  const isShort = row.made.length <= WRITTEN_WHOLE;
  if (isShort || isLast) {
    const apart = isShort ? [] : readRefined(database, row.doc);
    if (coded.length + apart.length === 0) return false;
    writeSegment(database, row, [...apart, ...coded]);
    database.run("DELETE FROM refined_vectors WHERE doc = ?", row.doc);
    return true;
  }
  const insert = database.statement("INSERT OR REPLACE INTO refined_vectors VALUES (?, ?, ?, ?)");
  for (const { key, vector } of coded) insert.run(key, row.doc, vector, changed);
  return false;
}

function writeSegment(
  database: Database,
  { doc, first_key: firstKey }: HeldRow,
  fresh: readonly { readonly key: number; readonly vector: Uint8Array }[],
): void {
  const segment = database.get<SegmentRow>(
    "SELECT count, dimensions, vectors FROM segments WHERE first_key = ?",
    firstKey,
  );
  const dimensions = (fresh[0]?.vector.length ?? 0) - 4;
  if (!segment || dimensions <= 0) return;
  const { count } = segment;
  const bytes =
    segment.vectors && segment.dimensions === dimensions
      ? segment.vectors.slice()
      : new Uint8Array(count * (dimensions + 4));
  for (const { key, vector } of fresh) {
    const at = key - firstKey;
    bytes.set(vector.subarray(0, dimensions), at * dimensions);
    bytes.set(vector.subarray(dimensions), count * dimensions + at * 4);
  }
  database.run(
    "UPDATE segments SET dimensions = ?, vectors = ? WHERE first_key = ?",
    dimensions,
    bytes,
    firstKey,
  );
  const present = countVectors(bytes, count, dimensions);
  database.run("UPDATE documents SET vector_count = ? WHERE doc = ?", present, doc);
}

function countVectors(bytes: Uint8Array, count: number, dimensions: number): number {
  const scales = new DataView(bytes.buffer, bytes.byteOffset + count * dimensions);
  let present = 0;
  for (let at = 0; at < count; at++) if (scales.getFloat32(at * 4, true) !== 0) present++;
  return present;
}

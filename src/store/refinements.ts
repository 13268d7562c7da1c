// The second stage of vectors: documents are claimed under a lease, and get better vectors for chunks they already have.
import type { Chunk } from "../domain/document.ts";
import { countWaiting, packEncodings, unpackEncodings } from "./core/encodings.ts";
import { toDetail } from "./core/rows.ts";
import { visible } from "./documents/filter.ts";
import { type Connection, type Engine, fromJson, oneOf, type Sql, sql } from "./sql.ts";
import { leaseEnded, leaseFor } from "./tasks.ts";
import type { Vectors } from "./vectors.ts";

/** Which encoder made a chunk's vector, and whether that is final. */
export type Encoding = "light" | "waiting" | "model";

interface RefinementClaim {
  /** Only documents with it, as in `NewDocument`; others are left to the reindexer. */
  readonly fingerprint: string;
  readonly worker: string;
  readonly leaseMs: number;
  /** About how many chunks, of one document or of many small ones. */
  readonly chunks: number;
}

export interface ClaimedDocument {
  readonly id: string;
  readonly title?: string;
  readonly chunks: readonly ClaimedChunk[];
}

interface ClaimedChunk extends Pick<Chunk, "ordinal" | "text" | "headings" | "tableHeader"> {
  readonly key: number;
}

export interface RefinedDocument {
  readonly id: string;
  readonly chunks: readonly { readonly key: number; readonly vector: Float32Array }[];
}

export interface RefinementStore {
  waiting(fingerprint: string): Promise<{ readonly documents: number; readonly chunks: number }>;
  /** Claims documents that no other worker holds. Empty if there is nothing to do now. */
  claim(claim: RefinementClaim): Promise<readonly ClaimedDocument[]>;
  /**
   * Stores the model's vectors for documents that `worker` still has claimed and releases them, in one transaction. A
   * document that was removed, replaced or taken over meanwhile is left alone. Returns how many chunks were stored.
   */
  storeVectors(worker: string, documents: readonly RefinedDocument[]): Promise<number>;
  /** All workers that hold a document, dead or alive. */
  holders(): Promise<readonly string[]>;
  /** Releases everything that this worker has claimed. */
  release(worker: string): Promise<void>;
}

export function openRefinements({ read, write }: Engine, vectors: Vectors): RefinementStore {
  return {
    waiting: (fingerprint) => read((db) => count(db, fingerprint)),
    async claim(claim) {
      // Idle workers poll often, so check without a lock or transaction first.
      if (!(await read((db) => isAny(db, freeDocuments(db, claim))))) return [];
      return write(async (db) => {
        await db.run(db.dialect.locks.shareWriting(db.kb));
        return take(db, claim);
      });
    },
    storeVectors: (worker, documents) =>
      write((db) => storeVectors(db, vectors, { worker, documents })),
    holders: () =>
      read(async (db) => {
        const rows = await db.all<{ worker: string }>(sql`
          SELECT DISTINCT worker FROM encodings WHERE kb = ${db.kb} AND worker IS NOT NULL`);
        return rows.map((row) => row.worker);
      }),
    async release(worker) {
      const held = sql`encodings WHERE worker = ${worker}`;
      if (!(await read((db) => isAny(db, sql`FROM ${held} AND kb = ${db.kb}`)))) return;
      await write((db) =>
        db.run(sql`UPDATE encodings SET worker = NULL WHERE kb = ${db.kb} AND worker = ${worker}`),
      );
    },
  };
}

async function isAny(db: Connection, from: Sql): Promise<boolean> {
  return (await db.one(sql`SELECT 1 AS found ${from} LIMIT 1`)) !== undefined;
}

/** CROSS keeps SQLite from starting with the documents, nearly all of which have this fingerprint. */
const waiting = (db: Connection, fingerprint: string) => sql`
  FROM encodings e CROSS JOIN documents d WHERE e.kb = ${db.kb} AND d.kb = e.kb AND d.doc = e.doc
    AND e.waiting > 0 AND d.fingerprint = ${fingerprint} ${visible(db)}`;

/** Those that no worker has. */
function freeDocuments(db: Connection, { fingerprint }: RefinementClaim): Sql {
  return sql`${waiting(db, fingerprint)} AND (e.worker IS NULL OR ${leaseEnded(db)})`;
}

async function count(db: Connection, fingerprint: string) {
  const row = await db.one<{ documents: number; chunks: number }>(sql`SELECT count(*) AS documents,
    CAST(coalesce(sum(e.waiting), 0) AS bigint) AS chunks ${waiting(db, fingerprint)}`);
  return { documents: row?.documents ?? 0, chunks: row?.chunks ?? 0 };
}

interface WaitingRow {
  readonly doc: number;
  readonly id: string;
  readonly title: string | null;
  readonly made: Uint8Array;
}

/** Takes documents until the number of their waiting chunks reaches the claim's limit. */
async function take(db: Connection, claim: RefinementClaim): Promise<readonly ClaimedDocument[]> {
  const rows = await db.all<WaitingRow>(sql`SELECT e.doc, d.id, d.title, e.made
    ${freeDocuments(db, claim)} ORDER BY e.doc LIMIT ${claim.chunks} ${db.dialect.skipLocked}`);
  let left = claim.chunks;
  const taken = rows.flatMap((row) => {
    if (left <= 0) return [];
    const encodings = [...unpackEncodings(row.made).entries()];
    const ordinals = encodings.flatMap(([at, each]) => (each === "waiting" ? [at] : []));
    const part = ordinals.slice(0, left);
    left -= part.length;
    return [{ ...row, ordinals: part }];
  });
  if (taken.length === 0) return [];
  const docs = taken.map(({ doc }) => doc);
  const [, ...chunks] = await db.together([
    sql`UPDATE encodings SET worker = ${claim.worker}, ${leaseFor(db, claim.leaseMs)}
      WHERE kb = ${db.kb} AND doc ${oneOf("bigint", docs)}`,
    ...taken.map(
      ({ doc, ordinals }) => sql`SELECT key, ordinal, text, detail FROM chunks
        WHERE kb = ${db.kb} AND doc = ${doc} AND ordinal ${oneOf("integer", ordinals)} ORDER BY ordinal`,
    ),
  ]);
  return taken.map(({ id, title }, at) => ({
    id,
    ...(title !== null && { title }),
    chunks: (chunks[at] as readonly ChunkRow[]).map(toClaimed),
  }));
}

interface ChunkRow {
  readonly key: number;
  readonly ordinal: number;
  readonly text: string;
  readonly detail: string;
}

function toClaimed({ detail, ...row }: ChunkRow): ClaimedChunk {
  const { headings, tableHeader } = toDetail(fromJson(detail));
  return { ...row, headings, ...(tableHeader !== undefined && { tableHeader }) };
}

interface HeldRow {
  readonly id: string;
  readonly doc: number;
  readonly made: Uint8Array;
}

interface Refined {
  readonly worker: string;
  readonly documents: readonly RefinedDocument[];
}

async function storeVectors(db: Connection, vectors: Vectors, { worker, documents }: Refined) {
  const ids = documents.map(({ id }) => id);
  const results = await db.together([
    db.dialect.locks.shareWriting(db.kb),
    // Waits for a removal or replacement of the document; afterwards the row is gone.
    sql`SELECT d.id, e.doc, e.made FROM documents d JOIN encodings e ON e.kb = d.kb AND e.doc = d.doc
      WHERE d.kb = ${db.kb} AND d.id ${oneOf("text", ids)} AND e.worker = ${worker}
      ORDER BY e.doc ${db.dialect.locked}`,
  ]);
  const held = new Map((results[1] as readonly HeldRow[]).map((row) => [row.id, row]));
  let stored = 0;
  for (const document of documents) {
    const row = held.get(document.id);
    if (row) stored += await storeDocument(db, vectors, { row, document });
  }
  return stored;
}

async function storeDocument(
  db: Connection,
  vectors: Vectors,
  { row, document }: { readonly row: HeldRow; readonly document: RefinedDocument },
): Promise<number> {
  const { doc } = row;
  const keys = document.chunks.map(({ key }) => key);
  const rows = await db.all<{ key: number; ordinal: number }>(sql`SELECT key, ordinal FROM chunks
    WHERE kb = ${db.kb} AND key ${oneOf("bigint", keys)} AND doc = ${doc}`);
  const ordinals = new Map(rows.map(({ key, ordinal }) => [key, ordinal]));
  const encodings = [...unpackEncodings(row.made)];
  const fresh = document.chunks.filter(({ key }) => ordinals.has(key));
  for (const { key } of fresh) encodings[ordinals.get(key) as number] = "model";
  await db.run(sql`UPDATE encodings SET made = ${packEncodings(encodings)},
    waiting = ${countWaiting(encodings)}, worker = NULL WHERE kb = ${db.kb} AND doc = ${doc}`);
  await vectors.replace(db, { doc, fresh });
  return fresh.length;
}

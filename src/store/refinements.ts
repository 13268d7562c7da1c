// The second stage of vectors: documents are claimed under a lease, and get better vectors for chunks they already have.
import { BYTES, countOpen, isModel, isUnchecked, uncheck } from "./core/encodings.ts";
import { toDetail } from "./core/rows.ts";
import { visible } from "./documents/filter.ts";
import type {
  ClaimedChunk,
  ClaimedDocument,
  Encoders,
  RefinedDocument,
  RefinementClaim,
  RefinementStore,
} from "./ports/refinements.ts";
import { type Connection, type Engine, fromJson, NOTHING, oneOf, type Sql, sql } from "./sql.ts";
import { leaseEnded, leaseFor } from "./tasks.ts";
import type { Vectors } from "./vectors.ts";

/** How many documents without a row get one per claim, to keep the write short. */
const OLD_PER_CLAIM = 500;

export function openRefinements({ read, write }: Engine, vectors: Vectors): RefinementStore {
  return {
    waiting: (under) => read((db) => countWaiting(db, under)),
    async claim(claim) {
      // Idle workers poll often, so check without a lock or transaction first.
      const isSome = await read((db) => isAny(db, openDocuments(db, claim)));
      const isOld =
        !isSome && claim.looksForOld && (await read((db) => isAny(db, oldDocuments(db, claim))));
      if (!isSome && !isOld) return [];
      return write(async (db) => {
        await db.run(db.dialect.locks.shareWriting(db.kb));
        if (isOld) await noteOld(db, claim);
        return takeOpen(db, claim);
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
const encoded = (db: Connection, fingerprint: string) => sql`
  FROM encodings e CROSS JOIN documents d WHERE e.kb = ${db.kb} AND d.kb = e.kb AND d.doc = e.doc
    AND e.unchecked + e.waiting > 0 AND d.fingerprint = ${fingerprint} ${visible(db)}`;

/** Documents with work left and no worker. */
function openDocuments(db: Connection, { fingerprint, what }: RefinementClaim): Sql {
  return sql`${encoded(db, fingerprint)} ${what === "all" ? NOTHING : sql`AND e.unchecked > 0`}
    AND (e.worker IS NULL OR ${leaseEnded(db)})`;
}

/** Documents that have no row, or one for other encoders. */
function oldDocuments(db: Connection, { fingerprint, encoders }: Encoders): Sql {
  return sql`FROM documents d WHERE d.kb = ${db.kb} AND d.fingerprint = ${fingerprint} ${visible(db)}
    AND d.chunk_count > 0 AND NOT EXISTS (SELECT 1 FROM encodings e
      WHERE e.kb = ${db.kb} AND e.doc = d.doc AND e.encoders = ${encoders})`;
}

async function countWaiting(db: Connection, under: Encoders) {
  const counts = await db.together([
    sql`SELECT count(*) AS documents, CAST(sum(e.unchecked + e.waiting) AS bigint) AS chunks
      ${encoded(db, under.fingerprint)} AND e.encoders = ${under.encoders}`,
    sql`SELECT count(*) AS documents, CAST(sum(d.chunk_count) AS bigint) AS chunks
      ${oldDocuments(db, under)}`,
  ]);
  const rows = counts.flat() as { documents: number; chunks: number | null }[];
  return {
    documents: rows.reduce((sum, row) => sum + row.documents, 0),
    chunks: rows.reduce((sum, row) => sum + (row.chunks ?? 0), 0),
  };
}

interface OpenRow {
  readonly doc: number;
  readonly id: string;
  readonly title: string | null;
  readonly made: Uint8Array;
}

/** Takes documents until the number of their open chunks reaches the claim's limit. */
async function takeOpen(
  db: Connection,
  claim: RefinementClaim,
): Promise<readonly ClaimedDocument[]> {
  const rows = await db.all<OpenRow>(sql`SELECT e.doc, d.id, d.title, e.made
    ${openDocuments(db, claim)} ORDER BY e.doc LIMIT ${claim.chunks} ${db.dialect.skipLocked}`);
  let left = claim.chunks;
  const taken = rows.flatMap((row) => {
    if (left <= 0) return [];
    const ordinals = openOrdinals(row.made, claim).slice(0, left);
    left -= ordinals.length;
    return [{ ...row, ordinals }];
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
  return taken.map(({ id, title, made }, at) => ({
    id,
    ...(title !== null && { title }),
    chunks: (chunks[at] as readonly ChunkRow[]).map((row) => toClaimed(row, made)),
  }));
}

function openOrdinals(made: Uint8Array, { what }: RefinementClaim): number[] {
  const isOpen = (byte: number) => isUnchecked(byte) || (what === "all" && byte === BYTES.waiting);
  return [...made.keys()].filter((at) => isOpen(made[at] as number));
}

interface ChunkRow {
  readonly key: number;
  readonly ordinal: number;
  readonly text: string;
  readonly detail: string;
}

function toClaimed({ detail, ...row }: ChunkRow, made: Uint8Array): ClaimedChunk {
  const { headings, tableHeader } = toDetail(fromJson(detail));
  const byte = made[row.ordinal] ?? 0;
  return {
    ...row,
    headings,
    ...(tableHeader !== undefined && { tableHeader }),
    isUnchecked: isUnchecked(byte),
    madeBy: isModel(byte) ? "model" : "light",
  };
}

interface OldRow {
  readonly doc: number;
  readonly chunk_count: number;
  readonly made: Uint8Array | null;
}

const NEW_ROWS = {
  table: "encodings",
  columns: {
    kb: "integer",
    doc: "bigint",
    encoders: "text",
    made: "bytea",
    unchecked: "integer",
    waiting: "integer",
  },
} as const;

async function noteOld(db: Connection, under: Encoders): Promise<void> {
  const rows = await db.all<OldRow>(sql`SELECT d.doc, d.chunk_count, (SELECT e.made FROM encodings e
      WHERE e.kb = d.kb AND e.doc = d.doc) AS made
    ${oldDocuments(db, under)} ORDER BY d.doc LIMIT ${OLD_PER_CLAIM} ${db.dialect.skipLocked}`);
  const { encoders } = under;
  await db.together(
    rows.flatMap(({ doc, made }) => {
      if (!made) return [];
      const unchecked = uncheck(made);
      return [
        sql`UPDATE encodings SET encoders = ${encoders}, made = ${unchecked}, unchecked = ${made.length},
          waiting = 0, worker = NULL WHERE kb = ${db.kb} AND doc = ${doc}`,
      ];
    }),
  );
  const fresh = rows.filter(({ made }) => !made);
  await db.insert(
    NEW_ROWS,
    fresh.map(({ doc, chunk_count: count }) => {
      return [db.kb, doc, encoders, new Uint8Array(count), count, 0];
    }),
  );
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
  const chunks = document.chunks.flatMap((chunk) => {
    const at = ordinals.get(chunk.key);
    return at === undefined ? [] : [{ ...chunk, at }];
  });
  const made = row.made.slice();
  for (const { at, encoding } of chunks) if (at < made.length) made[at] = BYTES[encoding];
  const { unchecked, waiting } = countOpen(made);
  await db.run(sql`UPDATE encodings SET made = ${made}, unchecked = ${unchecked},
    waiting = ${waiting}, worker = NULL WHERE kb = ${db.kb} AND doc = ${doc}`);
  const fresh = chunks.flatMap(({ key, vector }) => (vector ? [{ key, vector }] : []));
  await vectors.replace(db, { doc, fresh });
  return chunks.length;
}

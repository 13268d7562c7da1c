// Claims documents whose vectors need to be checked or refined. Leases are measured by the database's clock.
import {
  type ClaimedChunk,
  type ClaimedDocument,
  type Encoders,
  OLD_PER_CLAIM,
  type OpenOrdinals,
  type RefinementClaim,
  takeOpenOrdinals,
  toClaimedChunk,
  uncheck,
} from "../../core/refinement.ts";
import type { Sql } from "../connection.ts";
import { shareWriting } from "../locks.ts";
import { type ChunkRow, readDetail } from "../rows.ts";

interface OpenRow {
  readonly doc: number;
  readonly id: string;
  readonly title: string | null;
  readonly made: Buffer;
}

const openDocuments = (sql: Sql, kb: number, { fingerprint, what }: RefinementClaim) =>
  sql`FROM knowledge.encodings e JOIN knowledge.documents d ON d.kb = e.kb AND d.doc = e.doc
    WHERE e.kb = ${kb} AND e.unchecked + e.waiting > 0 ${what === "all" ? sql`` : sql`AND e.unchecked > 0`}
      AND e.fingerprint = ${fingerprint} AND d.fingerprint = ${fingerprint}
      AND (e.worker IS NULL OR e.lease_until < clock_timestamp())`;

export async function hasOpen(sql: Sql, kb: number, claim: RefinementClaim): Promise<boolean> {
  const rows = await sql`SELECT 1 ${openDocuments(sql, kb, claim)} LIMIT 1`;
  return rows.length > 0;
}

export async function takeOpen(
  sql: Sql,
  kb: number,
  claim: RefinementClaim,
): Promise<readonly ClaimedDocument[]> {
  await shareWriting(sql, kb);
  const rows = await sql<
    OpenRow[]
  >`SELECT e.doc, d.id, d.title, e.made ${openDocuments(sql, kb, claim)}
    ORDER BY e.doc LIMIT ${claim.chunks} FOR UPDATE OF e SKIP LOCKED`;
  const taken = takeOpenOrdinals(rows, claim);
  if (taken.length === 0) return [];
  const docs = taken.map(({ row }) => row.doc);
  await sql`UPDATE knowledge.encodings SET worker = ${claim.worker},
      lease_until = clock_timestamp() + ${claim.leaseMs} * interval '1 millisecond'
    WHERE kb = ${kb} AND doc = ANY(${docs}::bigint[])`;
  const chunks = await readChunks(sql, kb, taken);
  return taken.map(({ row: { id, title, doc } }) => ({
    id,
    ...(title === null ? {} : { title }),
    chunks: chunks.get(doc) ?? [],
  }));
}

async function readChunks(
  sql: Sql,
  kb: number,
  taken: readonly OpenOrdinals<OpenRow>[],
): Promise<ReadonlyMap<number, readonly ClaimedChunk[]>> {
  const pairs = taken.flatMap(({ row, ordinals }) => ordinals.map((at) => ({ doc: row.doc, at })));
  const rows = await sql<Pick<ChunkRow, "doc" | "key" | "ordinal" | "text" | "detail">[]>`
    SELECT c.doc, c.key, c.ordinal, c.text, c.detail
    FROM unnest(${pairs.map(({ doc }) => doc)}::bigint[], ${pairs.map(({ at }) => at)}::integer[]) AS t (doc, at)
    JOIN knowledge.chunks c ON c.kb = ${kb} AND c.doc = t.doc AND c.ordinal = t.at
    ORDER BY c.doc, c.ordinal`;
  const madeOf = new Map(taken.map(({ row }) => [row.doc, row.made]));
  const found = new Map<number, ClaimedChunk[]>();
  for (const row of rows) {
    const byte = madeOf.get(row.doc)?.[row.ordinal];
    const chunk = toClaimedChunk(row, readDetail(row.detail), byte);
    found.set(row.doc, [...(found.get(row.doc) ?? []), chunk]);
  }
  return found;
}

/** Documents whose row is missing, or was made for other chunks or encoders. */
export const oldDocuments = (sql: Sql, kb: number, { fingerprint, encoders }: Encoders) =>
  sql`FROM knowledge.documents d WHERE d.kb = ${kb} AND d.fingerprint = ${fingerprint} AND d.chunk_count > 0
    AND NOT EXISTS (SELECT 1 FROM knowledge.encodings e WHERE e.kb = d.kb AND e.doc = d.doc
      AND e.fingerprint = d.fingerprint AND e.encoders = ${encoders} AND length(e.made) = d.chunk_count)`;

export async function hasOld(sql: Sql, kb: number, under: Encoders): Promise<boolean> {
  const rows = await sql`SELECT 1 ${oldDocuments(sql, kb, under)} LIMIT 1`;
  return rows.length > 0;
}

interface OldRow {
  readonly doc: number;
  readonly chunk_count: number;
  readonly made: Buffer | null;
}

export async function noteOld(sql: Sql, kb: number, under: Encoders): Promise<void> {
  await shareWriting(sql, kb);
  const rows = await sql<OldRow[]>`
    SELECT d.doc, d.chunk_count, (SELECT e.made FROM knowledge.encodings e
      WHERE e.kb = d.kb AND e.doc = d.doc AND e.fingerprint = d.fingerprint
        AND length(e.made) = d.chunk_count) AS made
    ${oldDocuments(sql, kb, under)} ORDER BY d.doc LIMIT ${OLD_PER_CLAIM} FOR KEY SHARE OF d SKIP LOCKED`;
  if (rows.length === 0) return;
  const { fingerprint, encoders } = under;
  const made = rows.map((row) =>
    Buffer.from(row.made ? uncheck(row.made) : new Uint8Array(row.chunk_count)),
  );
  await sql`
    INSERT INTO knowledge.encodings (kb, doc, fingerprint, encoders, made, unchecked, waiting)
    SELECT ${kb}, doc, ${fingerprint}, ${encoders}, decode(made, 'hex'), length(made) / 2, 0
    FROM unnest(${rows.map(({ doc }) => doc)}::bigint[], ${made.map((each) => each.toString("hex"))}::text[])
      AS t (doc, made)
    ON CONFLICT (kb, doc) DO UPDATE SET fingerprint = excluded.fingerprint, encoders = excluded.encoders,
      made = excluded.made, unchecked = excluded.unchecked, waiting = 0, worker = NULL`;
}

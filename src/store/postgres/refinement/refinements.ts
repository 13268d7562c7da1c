// The second stage of vectors: refined by any server or worker on the database.
import { countOpen, withEncodings } from "../../core/refinement.ts";
import type { RefinedDocument, RefinementStore } from "../../store.ts";
import type { Sql } from "../connection.ts";
import type { Database } from "../database.ts";
import { toVectorText } from "../documents/nearest.ts";
import { shareWriting } from "../locks.ts";
import { hasOld, hasOpen, noteOld, oldDocuments, takeOpen } from "./claim.ts";

export function openRefinements({ read, write }: Database): RefinementStore {
  return {
    waiting: (under) =>
      read(async (sql, kb) => {
        const [row] = await sql<{ documents: number; chunks: number }[]>`
          SELECT coalesce(sum(documents), 0)::bigint AS documents, coalesce(sum(chunks), 0)::bigint AS chunks FROM (
            SELECT count(*) AS documents, sum(e.unchecked + e.waiting) AS chunks
            FROM knowledge.encodings e JOIN knowledge.documents d ON d.kb = e.kb AND d.doc = e.doc
            WHERE e.kb = ${kb} AND e.unchecked + e.waiting > 0 AND d.fingerprint = ${under.fingerprint}
              AND e.fingerprint = d.fingerprint AND e.encoders = ${under.encoders}
              AND length(e.made) = d.chunk_count
            UNION ALL SELECT count(*), sum(d.chunk_count) ${oldDocuments(sql, kb, under)}) counted`;
        return { documents: row?.documents ?? 0, chunks: row?.chunks ?? 0 };
      }),
    async claim(claim) {
      // Idle workers poll often, so check without a lock or transaction first.
      const isSome = await read((sql, kb) => hasOpen(sql, kb, claim));
      const isOld =
        !isSome && claim.looksForOld && (await read((sql, kb) => hasOld(sql, kb, claim)));
      if (!isSome && !isOld) return [];
      if (isOld) await write((sql, kb) => noteOld(sql, kb, claim));
      return write((sql, kb) => takeOpen(sql, kb, claim));
    },
    storeVectors: (worker, documents) =>
      write((sql, kb) => storeVectors(sql, kb, { worker, documents })),
    holders: () =>
      read(async (sql, kb) => {
        const rows = await sql<{ worker: string }[]>`
          SELECT DISTINCT worker FROM knowledge.encodings WHERE kb = ${kb} AND worker IS NOT NULL`;
        return rows.map((row) => row.worker);
      }),
    async release(worker) {
      await write(
        (sql, kb) => sql`UPDATE knowledge.encodings SET worker = NULL
          WHERE kb = ${kb} AND worker = ${worker}`,
      );
    },
  };
}

interface HeldRow {
  readonly id: string;
  readonly doc: number;
  readonly made: Buffer;
}

interface Refined {
  readonly worker: string;
  readonly documents: readonly RefinedDocument[];
}

async function storeVectors(sql: Sql, kb: number, { worker, documents }: Refined): Promise<number> {
  await shareWriting(sql, kb);
  const ids = documents.map(({ id }) => id);
  // Wait for a removal or replacement of the document; afterwards the row is gone.
  const rows = await sql<HeldRow[]>`
    SELECT d.id, e.doc, e.made FROM knowledge.documents d
    JOIN knowledge.encodings e ON e.kb = d.kb AND e.doc = d.doc AND e.fingerprint = d.fingerprint
    WHERE d.kb = ${kb} AND d.id = ANY(${ids}::text[]) AND e.worker = ${worker}
    ORDER BY e.doc FOR NO KEY UPDATE`;
  const held = new Map(rows.map((row) => [row.id, row]));
  let stored = 0;
  for (const document of documents) {
    const row = held.get(document.id);
    if (row) stored += await storeDocument(sql, kb, { row, document });
  }
  return stored;
}

async function storeDocument(
  sql: Sql,
  kb: number,
  { row, document }: { readonly row: HeldRow; readonly document: RefinedDocument },
): Promise<number> {
  const { doc } = row;
  const keys = document.chunks.map(({ key }) => key);
  const known = await sql<{ key: number; ordinal: number }[]>`
    SELECT key, ordinal FROM knowledge.chunks
    WHERE kb = ${kb} AND doc = ${doc} AND key = ANY(${keys}::bigint[])`;
  const ordinals = new Map(known.map(({ key, ordinal }) => [key, ordinal]));
  const chunks = document.chunks.flatMap((chunk) => {
    const at = ordinals.get(chunk.key);
    return at === undefined ? [] : [{ ...chunk, at }];
  });
  const made = withEncodings(row.made, chunks);
  const { unchecked, waiting } = countOpen(made);
  const fresh = chunks.flatMap(({ key, vector }) =>
    vector?.some((value) => value !== 0) ? [{ key, vector: toVectorText(vector) }] : [],
  );
  if (fresh.length > 0) {
    await sql`
      INSERT INTO knowledge.vectors (kb, key, doc, dimensions, embedding)
      SELECT ${kb}, key, ${doc}, vector_dims(embedding::halfvec), embedding::halfvec
      FROM unnest(${fresh.map(({ key }) => key)}::bigint[], ${fresh.map(({ vector }) => vector)}::text[])
        AS t (key, embedding)
      ON CONFLICT (kb, key) DO UPDATE SET dimensions = excluded.dimensions, embedding = excluded.embedding`;
    await sql`UPDATE knowledge.documents SET vector_count =
        (SELECT count(*) FROM knowledge.vectors v WHERE v.kb = ${kb} AND v.doc = ${doc})
      WHERE kb = ${kb} AND doc = ${doc} AND vector_count < chunk_count`;
  }
  await sql`UPDATE knowledge.encodings SET made = ${Buffer.from(made)}, unchecked = ${unchecked},
      waiting = ${waiting}, worker = NULL WHERE kb = ${kb} AND doc = ${doc}`;
  return chunks.length;
}

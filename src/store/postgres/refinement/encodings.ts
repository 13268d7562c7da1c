// Which encoder made each vector of a document: one byte per chunk, by ordinal.
import { countOpen, packEncodings } from "../../core/refinement.ts";
import type { IndexedChunk, NewDocument } from "../../store.ts";
import type { Sql } from "../connection.ts";

type New = Pick<NewDocument, "fingerprint"> & {
  readonly encoders: string | undefined;
  readonly doc: number;
  readonly chunks: readonly IndexedChunk[];
};

/** Without `encoders` the document is checked later. */
export function insertEncodings(sql: Sql, kb: number, { doc, fingerprint, encoders, chunks }: New) {
  if (encoders === undefined || chunks.length === 0) return [];
  const made = packEncodings(chunks.map(({ encoding }) => encoding));
  const { unchecked, waiting } = countOpen(made);
  return [
    sql`INSERT INTO knowledge.encodings (kb, doc, fingerprint, encoders, made, unchecked, waiting)
      VALUES (${kb}, ${doc}, ${fingerprint}, ${encoders}, ${Buffer.from(made)}, ${unchecked}, ${waiting})`,
  ];
}

export async function readEncodings(
  sql: Sql,
  kb: number,
  { doc, fingerprint }: { readonly doc: number; readonly fingerprint: string },
): Promise<{ readonly encoders: string; readonly made: Uint8Array } | undefined> {
  const [row] = await sql<{ encoders: string; made: Buffer }[]>`
    SELECT encoders, made FROM knowledge.encodings
    WHERE kb = ${kb} AND doc = ${doc} AND fingerprint = ${fingerprint}`;
  return row && { encoders: row.encoders, made: new Uint8Array(row.made) };
}

// Changes to where documents belong, and to all documents of a scope.
import { isSeen } from "../../domain/call/sight.ts";
import type { DocumentRow } from "../core/rows.ts";
import type { MoveOutcome } from "../ports/documents.ts";
import { type Connection, NOTHING, oneOf, sql } from "../sql.ts";
import { IS_OPEN } from "../tasks.ts";
import { visible } from "./filter.ts";
import { DOCUMENT_COLUMNS } from "./read-documents.ts";
import { releaseOriginals } from "./unreferenced.ts";
import { type DocumentParts, dropDocument, lockDocument } from "./write-documents.ts";

/** Its tasks move too, so that only those who see the document see them. */
export async function moveDocument(
  db: Connection,
  id: string,
  scope: string,
): Promise<MoveOutcome> {
  const row = await lockDocument(db, id);
  if (!row || !isSeen(row.scope, db.sight)) return "not-found";
  const { doc, content_hash: hash, source_path: path, scope: before } = row;
  if (before === scope) return "moved";
  const isHere = path === null ? NOTHING : sql`OR ${db.dialect.isAtPath(path)}`;
  const same = await db.one(sql`SELECT 1 AS found FROM documents d
    WHERE d.kb = ${db.kb} AND d.scope = ${scope} AND (d.content_hash = ${hash} ${isHere}) LIMIT 1`);
  if (same) return "taken";
  await db.together([
    sql`UPDATE documents SET scope = ${scope} WHERE kb = ${db.kb} AND doc = ${doc}`,
    sql`UPDATE tasks SET scope = ${scope} WHERE kb = ${db.kb} AND scope = ${before}
      AND content_hash = ${hash} AND NOT (${IS_OPEN})`,
    sql`UPDATE bases SET moves = moves + 1 WHERE kb = ${db.kb}`,
    db.dialect.noteChange(db.kb),
  ]);
  return "moved";
}

/** Those of these scopes that the caller sees, with everything of them. */
export async function clearScopes(db: Connection, parts: DocumentParts, scopes: readonly string[]) {
  await db.together([db.dialect.unlimited, db.dialect.locks.writeAlone(db.kb)]);
  const rows = await db.all<DocumentRow>(sql`SELECT ${DOCUMENT_COLUMNS} FROM documents d
    WHERE d.kb = ${db.kb} AND d.scope ${oneOf("text", scopes)} ${visible(db)}`);
  for (const row of rows) await dropDocument(db, parts, row);
  const hashes = rows.map((row) => row.content_hash);
  const orphans = await releaseOriginals(db, parts.removeOriginals, { hashes });
  const totals = {
    documents: rows.length,
    chunks: rows.reduce((sum, row) => sum + row.chunk_count, 0),
    sizeBytes: rows.reduce((sum, row) => sum + row.size_bytes, 0),
  };
  return { totals, orphans };
}

// Locks that are held to the end of the transaction. Each is a separate statement, sent before the statements that
// rely on it: a statement sees what was committed when it began, not when it got its lock.
import type { Sql } from "./connection.ts";

/** Writers share this lock; a clear takes it exclusively. */
export function shareWriting(sql: Sql, kb: number) {
  return sql`SELECT pg_advisory_xact_lock_shared(${writing(sql, kb)})`;
}

export function writeAlone(sql: Sql, kb: number) {
  return sql`SELECT pg_advisory_xact_lock(${writing(sql, kb)})`;
}

function writing(sql: Sql, kb: number) {
  return sql`hashtextextended('knowledge.writing', ${kb})`;
}

/** Serialises processes that store, reference or release the same bytes. */
export function lockOriginals(sql: Sql, kb: number, hashes: readonly string[]) {
  return sql`SELECT pg_advisory_xact_lock(lock) FROM (
    SELECT hashtextextended('original ' || hash, ${kb}) AS lock
    FROM unnest(${hashes as string[]}::text[]) AS hash ORDER BY 1) locks`;
}

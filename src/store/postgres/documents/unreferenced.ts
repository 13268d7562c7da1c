// Originals that no document and no open task refers to. They are in the same database as what refers to them, so there
// is no second id to compare; the trash is a column.
import { isTooMany } from "../../core/orphans.ts";
import type { OriginalsSurvey, SweepReport, TrashNote } from "../../store.ts";
import type { Sql } from "../connection.ts";
import { isSetAside } from "../tasks.ts";

/** An original also counts as kept if an older program, which does not know the trash, has stored it again. */
export const isKept = (sql: Sql) => sql`(trashed_at IS NULL OR kept_at > trashed_at)`;

const isUnreferenced = (sql: Sql, kb: number) => sql`
  NOT EXISTS (SELECT 1 FROM knowledge.documents d
    WHERE d.kb = ${kb} AND d.content_hash = o.content_hash)
  AND NOT EXISTS (SELECT 1 FROM knowledge.tasks t
    WHERE t.kb = ${kb} AND t.content_hash = o.content_hash AND t.status IN ('queued', 'running'))
  AND o.content_hash NOT IN (SELECT content_hash FROM knowledge.tasks
    WHERE kb = ${kb} AND ${isSetAside(sql)})`;

/** Inside a transaction: deletes and returns the hashes that no document or open task needs. */
export function dropUnreferenced(sql: Sql, kb: number, hashes: readonly string[]) {
  return sql`
    WITH dropped AS (
      DELETE FROM knowledge.originals o
      WHERE o.kb = ${kb} AND o.content_hash = ANY(${hashes as string[]}::text[])
        AND ${isUnreferenced(sql, kb)}
      RETURNING content_hash
    ), emptied AS (
      DELETE FROM knowledge.original_parts WHERE kb = ${kb}
        AND content_hash IN (SELECT content_hash FROM dropped)
    ) SELECT content_hash FROM dropped`;
}

/** The same for originals that no user removed: they go to the trash for 30 days. */
export function trashUnreferenced(
  sql: Sql,
  kb: number,
  { hashes, why, filename }: TrashNote & { readonly hashes: readonly string[] },
) {
  return sql`UPDATE knowledge.originals o
    SET trashed_at = now(), trashed_why = ${why}, filename = ${filename ?? null}
    WHERE o.kb = ${kb} AND o.content_hash = ANY(${hashes as string[]}::text[])
      AND ${isUnreferenced(sql, kb)} RETURNING content_hash`;
}

export async function sweep(sql: Sql, kb: number): Promise<SweepReport> {
  const back = await sql`UPDATE knowledge.originals o SET trashed_at = NULL
    WHERE o.kb = ${kb} AND trashed_at IS NOT NULL
      AND (kept_at > trashed_at OR NOT (${isUnreferenced(sql, kb)}))`;
  await purge(sql, kb);
  const orphans = await findOrphans(sql, kb);
  const { files } = await countOriginals(sql, kb);
  if (isTooMany(orphans.length, files)) {
    return { kind: "stopped", problem: tooMany(orphans.length, files) };
  }
  const trashed = await trashUnreferenced(sql, kb, { hashes: orphans, why: "unreferenced" });
  const counts = { trashed: trashed.length, removed: 0, broughtBack: back.count };
  return { kind: "swept", ...counts, isMarkedAgain: false };
}

export async function survey(sql: Sql, kb: number): Promise<OriginalsSurvey> {
  const orphans = await findOrphans(sql, kb);
  const { files, inTrash } = await countOriginals(sql, kb);
  const [row] = await sql<{ missing: number }[]>`
    SELECT count(*)::int AS missing FROM (
      SELECT content_hash FROM knowledge.documents WHERE kb = ${kb} UNION
      SELECT content_hash FROM knowledge.tasks WHERE kb = ${kb}
        AND (status IN ('queued', 'running') OR ${isSetAside(sql)})
    ) needed WHERE NOT EXISTS (SELECT 1 FROM knowledge.originals o
      WHERE o.kb = ${kb} AND o.content_hash = needed.content_hash)`;
  return {
    files,
    unreferenced: orphans.length,
    missing: row?.missing ?? 0,
    inTrash,
    ...(isTooMany(orphans.length, files) ? { problem: tooMany(orphans.length, files) } : {}),
  };
}

/** A task is enqueued well within an hour after its original is kept. */
async function findOrphans(sql: Sql, kb: number): Promise<readonly string[]> {
  const rows = await sql<{ content_hash: string }[]>`
    SELECT content_hash FROM knowledge.originals o
    WHERE o.kb = ${kb} AND kept_at < now() - interval '1 hour' AND ${isKept(sql)}
      AND ${isUnreferenced(sql, kb)}`;
  return rows.map((row) => row.content_hash);
}

async function countOriginals(sql: Sql, kb: number): Promise<{ files: number; inTrash: number }> {
  const [row] = await sql<{ files: number; inTrash: number }[]>`
    SELECT count(*) FILTER (WHERE ${isKept(sql)})::int AS files,
      count(*) FILTER (WHERE NOT ${isKept(sql)})::int AS "inTrash"
    FROM knowledge.originals WHERE kb = ${kb}`;
  return row ?? { files: 0, inTrash: 0 };
}

async function purge(sql: Sql, kb: number): Promise<void> {
  const rows = await sql<{ content_hash: string }[]>`
    SELECT content_hash FROM knowledge.originals
    WHERE kb = ${kb} AND trashed_at < now() - interval '30 days' AND NOT ${isKept(sql)}`;
  const hashes = rows.map((row) => row.content_hash);
  if (hashes.length > 0) await dropUnreferenced(sql, kb, hashes);
}

function tooMany(orphans: number, files: number): string {
  return `${orphans} of ${files} original files belong to no document, probably because part of the database was lost. No file is removed. Restore a backup of the database; if these files are not needed, delete them from knowledge.originals by hand.`;
}

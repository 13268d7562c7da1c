// Originals that nothing refers to. They are in the same database as what refers to them, so there is no second id to
// compare; the trash is a column.
import { type Message, toMessage } from "../../../domain/phrases/messages.ts";
import { isTooMany } from "../../core/orphans.ts";
import { KEPT_DAYS } from "../../core/trash.ts";
import { findUnreferenced, type LetGo, neededHashes } from "../../documents/unreferenced.ts";
import { type Connection, oneOf, sql } from "../../sql.ts";
import type { OriginalsSurvey, SweepReport } from "../../store.ts";

/** Originals that no user removed go to the trash for 30 days. */
export const letGo: LetGo = async (db, { hashes, why, filename }) => {
  const named = sql`kb = ${db.kb} AND content_hash ${oneOf("text", hashes)}`;
  await db.run(
    why === undefined
      ? sql`DELETE FROM originals WHERE ${named}`
      : sql`UPDATE originals SET trashed_at = now(), trashed_why = ${why},
          filename = ${filename ?? null}, trash_days = '{}' WHERE ${named}`,
  );
};

export async function sweep(db: Connection): Promise<SweepReport> {
  const broughtBack = await bringBack(db);
  await purge(db);
  const orphans = await findOrphans(db, GRACE_HOURS);
  const { files } = await countOriginals(db);
  if (isTooMany(orphans.length, files)) {
    return { kind: "stopped", problem: tooMany(orphans.length, files) };
  }
  await letGo(db, { hashes: orphans, why: "unreferenced" });
  const counts = { trashed: orphans.length, removed: 0, broughtBack };
  return { kind: "swept", ...counts, isMarkedAgain: false };
}

async function bringBack(db: Connection): Promise<number> {
  const rows = await db.all<{ hash: string }>(sql`SELECT content_hash AS hash FROM originals
    WHERE kb = ${db.kb} AND trashed_at IS NOT NULL`);
  const hashes = rows.map(({ hash }) => hash);
  const unneeded = new Set(await findUnreferenced(db, hashes));
  const needed = hashes.filter((hash) => !unneeded.has(hash));
  return db.run(sql`UPDATE originals SET trashed_at = NULL
    WHERE kb = ${db.kb} AND content_hash ${oneOf("text", needed)}`);
}

export async function survey(db: Connection): Promise<OriginalsSurvey> {
  const needed = await neededHashes(db);
  // Where nothing is needed, no file waits for its task.
  const orphans = await findOrphans(db, needed.length === 0 ? 0 : GRACE_HOURS);
  const { files, inTrash } = await countOriginals(db);
  const row = await db.one<{ present: number }>(sql`SELECT count(*) AS present FROM originals
    WHERE kb = ${db.kb} AND content_hash ${oneOf("text", needed)}`);
  return {
    files,
    unreferenced: orphans.length,
    missing: needed.length - (row?.present ?? 0),
    inTrash,
    ...(isTooMany(orphans.length, files) ? { problem: tooMany(orphans.length, files) } : {}),
  };
}

/** A task is enqueued well within this time after its original is kept. */
const GRACE_HOURS = 1;

async function findOrphans(db: Connection, graceHours: number): Promise<readonly string[]> {
  const rows = await db.all<{ hash: string }>(sql`SELECT content_hash AS hash FROM originals
    WHERE kb = ${db.kb} AND trashed_at IS NULL AND kept_at <= now() - ${graceHours} * interval '1 hour'`);
  return findUnreferenced(
    db,
    rows.map(({ hash }) => hash),
  );
}

async function countOriginals(db: Connection): Promise<{ files: number; inTrash: number }> {
  const row = await db.one<{ files: number; trashed: number }>(sql`
    SELECT count(*) FILTER (WHERE trashed_at IS NULL) AS files, count(trashed_at) AS trashed
    FROM originals WHERE kb = ${db.kb}`);
  return { files: row?.files ?? 0, inTrash: row?.trashed ?? 0 };
}

/** Deletes what has been in the trash for 30 days on which a server ran, as `store/core/trash.ts` counts them. */
async function purge(db: Connection): Promise<void> {
  const rows = await db.all<{ hash: string; days: number }>(sql`UPDATE originals
    SET trash_days = array_remove(trash_days, current_date) || current_date
    WHERE kb = ${db.kb} AND trashed_at IS NOT NULL
    RETURNING content_hash AS hash, cardinality(trash_days) AS days`);
  const old = rows.filter(({ days }) => days >= KEPT_DAYS).map(({ hash }) => hash);
  const hashes = await findUnreferenced(db, old);
  if (hashes.length > 0) await letGo(db, { hashes });
}

function tooMany(orphans: number, files: number): Message {
  return toMessage("rowsOfNone", orphans, files);
}

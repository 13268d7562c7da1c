// The bytes of added files, stored in the database in parts, so that any worker can read what any server received. They
// are in the same database as what refers to them, so there is no second id to compare; the trash is a column.
import { createHash } from "node:crypto";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { fromSystem, KnowledgeError } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import { KEPT_DAYS } from "../core/trash.ts";
import {
  findUnreferenced,
  isTooMany,
  type LetGo,
  neededHashes,
  releaseOriginals,
} from "../documents/unreferenced.ts";
import { type Connection, type Engine, oneOf, sql } from "../sql.ts";
import type { OriginalStore, OriginalsSurvey, SweepReport } from "../store.ts";

/** A part travels as text of twice its size; larger parts would only hold more memory. */
const PART_BYTES = 1024 * 1024;

export function openOriginals(engine: Engine, tempDir: string): OriginalStore {
  const { read, write } = engine;
  return {
    async keep(hash, fromPath) {
      // Opened outside the transaction, whose callback never ends if the connection is lost.
      const file = await open(fromPath, "r");
      try {
        await write((db) => accept(db, hash, file));
      } finally {
        await file.close();
      }
    },
    open: (hash) => writeOut(engine, hash, tempDir),
    has: (hash) =>
      read(async (db) => {
        const row = await db.one(sql`SELECT 1 FROM originals
          WHERE kb = ${db.kb} AND content_hash = ${hash} AND trashed_at IS NULL`);
        return row !== undefined;
      }),
    discard: (hash, createdAt, note) =>
      write(async (db) => {
        // `createdAt` is in whole milliseconds, so everything within its millisecond counts as before it.
        const [, old = []] = await db.together([
          db.dialect.locks.originals(db.kb, [hash]),
          sql`SELECT 1 FROM originals WHERE kb = ${db.kb} AND content_hash = ${hash}
            AND kept_at < CAST(${createdAt} AS timestamptz) + interval '1 ms'`,
        ]);
        if (old.length !== 1) return "kept";
        const gone = await releaseOriginals(db, letGo, { hashes: [hash], ...note });
        return gone.length === 1 ? "discarded" : "kept";
      }),
    sweep: () => write(sweep),
    survey: () => read(survey),
  };
}

async function accept(db: Connection, hash: string, file: FileHandle): Promise<void> {
  // If two servers receive the same file at once, the second waits and then only renews its time.
  await db.run(db.dialect.locks.originals(db.kb, [hash]));
  const renewed = await db.run(sql`UPDATE originals SET kept_at = now(), trashed_at = NULL
    WHERE kb = ${db.kb} AND content_hash = ${hash}`);
  if (renewed === 1) return;
  await db.run(sql`INSERT INTO originals (kb, content_hash, parts, kept_at)
    VALUES (${db.kb}, ${hash}, 0, now())`);
  const digest = createHash("sha256");
  const buffer = Buffer.allocUnsafe(PART_BYTES);
  let parts = 0;
  let at = 0;
  for (;;) {
    // It may return less than it was asked for; a part is whatever it returned.
    const { bytesRead } = await file.read(buffer, 0, PART_BYTES, at);
    if (bytesRead === 0) break;
    const data = buffer.subarray(0, bytesRead);
    digest.update(data);
    await db.run(sql`INSERT INTO original_parts (kb, content_hash, part, data)
      VALUES (${db.kb}, ${hash}, ${parts}, ${data})`);
    parts += 1;
    at += bytesRead;
  }
  if (digest.digest("hex") !== hash) {
    const message = "The file changed while it was stored, so it was not added. Try again.";
    throw new KnowledgeError("FILE_UNAVAILABLE", message);
  }
  await db.run(sql`UPDATE originals SET parts = ${parts}
    WHERE kb = ${db.kb} AND content_hash = ${hash}`);
}

async function writeOut(
  engine: Engine,
  hash: string,
  tempDir: string,
): Promise<{ path: string; release(): Promise<void> }> {
  const start = await engine.read((db) =>
    db.one<Start>(sql`
      SELECT o.parts, p.data AS first FROM originals o LEFT JOIN original_parts p
        ON p.kb = o.kb AND p.content_hash = o.content_hash AND p.part = 0
      WHERE o.kb = ${db.kb} AND o.content_hash = ${hash}`),
  );
  if (!start) throw gone();
  const folder = await mkdtemp(join(tempDir, "knowledge-original-"));
  const release = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, hash);
  try {
    await writeParts(engine, { hash, path, ...start });
  } catch (thrown) {
    await release();
    throw fromSystem(thrown, "store");
  }
  return { path, release };
}

/** The first part is read along, because most files have only one. */
interface Start {
  readonly parts: number;
  readonly first: Buffer | null;
}

async function writeParts(
  engine: Engine,
  { hash, path, parts, first }: Start & { readonly hash: string; readonly path: string },
): Promise<void> {
  const file = await open(path, "wx", 0o600);
  const digest = createHash("sha256");
  try {
    for (let part = 0; part < parts; part++) {
      const data = part === 0 ? first : await readPart(engine, hash, part);
      if (!data) throw gone();
      digest.update(data);
      // Not write(): on an almost full disk it may write only part of the data without an error.
      await file.appendFile(data);
    }
  } finally {
    await file.close();
  }
  if (digest.digest("hex") !== hash) {
    const message = "The stored original differs from the file that was added. Add the file again.";
    throw new KnowledgeError("STORE_CORRUPT", message);
  }
}

async function readPart(engine: Engine, hash: string, part: number) {
  const row = await engine.read((db) =>
    db.one<{ data: Buffer }>(sql`SELECT data FROM original_parts
      WHERE kb = ${db.kb} AND content_hash = ${hash} AND part = ${part}`),
  );
  return row?.data;
}

function gone(): KnowledgeError {
  return new KnowledgeError(
    "FILE_NOT_FOUND",
    "This document's original is no longer in the database. Add the file again.",
  );
}

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

async function sweep(db: Connection): Promise<SweepReport> {
  const broughtBack = await bringBack(db);
  await purge(db);
  const orphans = await findOrphans(db, GRACE_HOURS);
  const { files } = await countOriginals(db);
  if (isTooMany(orphans.length, files)) {
    return { kind: "stopped", problem: toMessage("rowsOfNone", orphans.length, files) };
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

async function survey(db: Connection): Promise<OriginalsSurvey> {
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
    ...(isTooMany(orphans.length, files) && {
      problem: toMessage("rowsOfNone", orphans.length, files),
    }),
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

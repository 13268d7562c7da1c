// The bytes of added files, where any worker can read what any server received: in the database in parts, or in a bucket.
// The list of them is in the same database as what refers to them, so there is no second id to compare; the trash is a
// column.
import { createHash } from "node:crypto";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { fromSystem, KnowledgeError } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import { hashOf } from "../core/durable-files.ts";
import { KEPT_DAYS } from "../core/trash.ts";
import {
  findUnreferenced,
  isTooMany,
  neededHashes,
  type RemoveOriginals,
  releaseOriginals,
} from "../documents/unreferenced.ts";
import { type Connection, type Engine, oneOf, sql } from "../sql.ts";
import type { OriginalStore, OriginalsSurvey, SweepReport } from "../store.ts";
import {
  changed,
  doomOldUploads,
  doomUpload,
  noteUpload,
  type Objects,
  type openRemoval,
  takeUpload,
} from "./bucket.ts";

/** A part travels as text of twice its size; larger parts would only hold more memory. */
const PART_BYTES = 1024 * 1024;

export interface OriginalsParts {
  readonly tempDir: string;
  readonly objects: Objects;
  readonly removal: ReturnType<typeof openRemoval>;
}

export function openOriginals(engine: Engine, parts: OriginalsParts): OriginalStore {
  const { read, write } = engine;
  const { objects, removal } = parts;
  return {
    async keep(hash, fromPath) {
      // Opened outside the transaction, whose callback never ends if the connection is lost.
      const file = await open(fromPath, "r");
      try {
        await keep(engine, objects, { hash, file });
      } finally {
        await file.close();
      }
      removal.nudge();
    },
    open: (hash) => writeOut(engine, parts, hash),
    has: (hash) =>
      read(async (db) => {
        const row = await db.one(sql`SELECT 1 FROM originals
          WHERE kb = ${db.kb} AND content_hash = ${hash} AND trashed_at IS NULL`);
        return row !== undefined;
      }),
    async discard(hash, createdAt, note) {
      const outcome = await write((db) => discard(db, hash, createdAt, note));
      removal.nudge();
      return outcome;
    },
    async sweep() {
      const report = await write(sweep);
      await write(doomOldUploads);
      removal.start();
      return report;
    },
    async survey() {
      const { addresses, ...found } = await read(survey);
      const gone = await objects.missing(addresses);
      return { ...found, missing: found.missing + gone.size };
    },
  };
}

async function discard(
  db: Connection,
  ...[hash, createdAt, note]: Parameters<OriginalStore["discard"]>
) {
  // `createdAt` is in whole milliseconds, so everything within its millisecond counts as before it.
  const [, old = []] = await db.together([
    db.dialect.locks.originals(db.kb, [hash]),
    sql`SELECT 1 FROM originals WHERE kb = ${db.kb} AND content_hash = ${hash}
      AND kept_at < CAST(${createdAt} AS timestamptz) + interval '1 ms'`,
  ]);
  if (old.length !== 1) return "kept";
  const gone = await releaseOriginals(db, removeOriginals, { hashes: [hash], ...note });
  return gone.length === 1 ? "discarded" : "kept";
}

interface NewOriginal {
  readonly hash: string;
  readonly file: FileHandle;
  /** Where it was, if it is there no more. */
  readonly lost?: string | undefined;
}

async function keep(engine: Engine, objects: Objects, { hash, file }: NewOriginal): Promise<void> {
  const { read, write } = engine;
  const known = await read((db) => findOriginal(db, hash));
  const there = known?.address ?? undefined;
  const isLost = there !== undefined && !(await objects.has(there));
  const original = { hash, file, lost: isLost ? there : undefined };
  const address = objects.newAddress(hash);
  if (address === undefined) {
    await write((db) => accept(db, original, (into) => storeParts(into, original)));
    return;
  }
  if (known && !isLost && (await write((db) => renew(db, original)))) return;
  await write((db) => noteUpload(db, address));
  await objects.put(address, hash, file);
  await write(async (db) => {
    const isNew = await accept(db, original, async (into) => {
      await takeUpload(into, address);
      return { parts: 0, address };
    });
    if (!isNew) await doomUpload(db, address);
  });
}

async function findOriginal(db: Connection, hash: string) {
  return db.one<{ address: string | null }>(sql`SELECT address FROM originals
    WHERE kb = ${db.kb} AND content_hash = ${hash}`);
}

/** If it is there, it only gets a new time. */
async function renew(db: Connection, { hash, lost }: NewOriginal): Promise<boolean> {
  // If two servers receive the same file at once, the second waits and then only renews its time.
  await db.run(db.dialect.locks.originals(db.kb, [hash]));
  const renewed = await db.run(sql`UPDATE originals SET kept_at = now(), trashed_at = NULL
    WHERE kb = ${db.kb} AND content_hash = ${hash} AND coalesce(address, '') <> ${lost ?? "none"}`);
  return renewed === 1;
}

interface Stored {
  readonly parts: number;
  readonly address: string | null;
}

/** False if it is there already, and nothing was stored. */
async function accept(
  db: Connection,
  original: NewOriginal,
  store: (db: Connection) => Promise<Stored>,
): Promise<boolean> {
  if (await renew(db, original)) return false;
  const named = sql`kb = ${db.kb} AND content_hash = ${original.hash}`;
  if (original.lost !== undefined) await db.run(sql`DELETE FROM originals WHERE ${named}`);
  await db.run(sql`INSERT INTO originals (kb, content_hash, parts, kept_at)
    VALUES (${db.kb}, ${original.hash}, 0, now())`);
  const { parts, address } = await store(db);
  await db.run(sql`UPDATE originals SET parts = ${parts}, address = ${address} WHERE ${named}`);
  return true;
}

async function storeParts(db: Connection, { hash, file }: NewOriginal): Promise<Stored> {
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
  if (digest.digest("hex") !== hash) throw changed();
  return { parts, address: null };
}

async function writeOut(
  engine: Engine,
  { tempDir, objects }: OriginalsParts,
  hash: string,
): Promise<{ path: string; release(): Promise<void> }> {
  const start = await engine.read((db) =>
    db.one<Start>(sql`
      SELECT o.parts, o.address, p.data AS first FROM originals o LEFT JOIN original_parts p
        ON p.kb = o.kb AND p.content_hash = o.content_hash AND p.part = 0
      WHERE o.kb = ${db.kb} AND o.content_hash = ${hash}`),
  );
  if (!start) throw gone();
  const folder = await mkdtemp(join(tempDir, "knowledge-original-"));
  const release = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, hash);
  try {
    const { address } = start;
    if (address === null) await writeParts(engine, { hash, path, ...start });
    else if (!(await objects.fetch(address, path))) throw gone();
    if ((await hashOf(path)) !== hash) throw differs();
  } catch (thrown) {
    await release();
    throw fromSystem(thrown, "store");
  }
  return { path, release };
}

/** The first part is read along, because most files have only one. */
interface Start extends Stored {
  readonly first: Buffer | null;
}

async function writeParts(
  engine: Engine,
  { hash, path, parts, first }: Start & { readonly hash: string; readonly path: string },
): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    for (let part = 0; part < parts; part++) {
      const data = part === 0 ? first : await readPart(engine, hash, part);
      if (!data) throw gone();
      // Not write(): on an almost full disk it may write only part of the data without an error.
      await file.appendFile(data);
    }
  } finally {
    await file.close();
  }
}

function differs(): KnowledgeError {
  const message = "The stored original differs from the file that was added. Add the file again.";
  return new KnowledgeError("STORE_CORRUPT", message);
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
    "This document's original is no longer stored. Add the file again.",
  );
}

/** Originals that no user removed go to the trash for 30 days. An object in a bucket is deleted after the commit. */
export const removeOriginals: RemoveOriginals = async (db, { hashes, why, filename }) => {
  const named = sql`kb = ${db.kb} AND content_hash ${oneOf("text", hashes)}`;
  await db.run(
    why === undefined
      ? sql`WITH gone AS (DELETE FROM originals WHERE ${named} RETURNING kb, address)
          INSERT INTO loose_objects (kb, address, since, doomed)
          SELECT kb, address, now(), true FROM gone WHERE address IS NOT NULL`
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
  await removeOriginals(db, { hashes: orphans, why: "unreferenced" });
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

/** With the addresses of those in a bucket that something needs. */
async function survey(
  db: Connection,
): Promise<OriginalsSurvey & { readonly addresses: readonly string[] }> {
  const needed = await neededHashes(db);
  // Where nothing is needed, no file waits for its task.
  const orphans = await findOrphans(db, needed.length === 0 ? 0 : GRACE_HOURS);
  const { files, inTrash } = await countOriginals(db);
  const present = await db.all<{ address: string | null }>(sql`SELECT address FROM originals
    WHERE kb = ${db.kb} AND content_hash ${oneOf("text", needed)}`);
  return {
    addresses: present.flatMap(({ address }) => address ?? []),
    files,
    unreferenced: orphans.length,
    missing: needed.length - present.length,
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
  if (hashes.length > 0) await removeOriginals(db, { hashes });
}

// The bytes of added files, stored in the database in parts, so that any worker can read what any server received.
import { createHash } from "node:crypto";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { fromSystem, KnowledgeError } from "../../../domain/errors.ts";
import { releaseOriginals } from "../../documents/unreferenced.ts";
import { type Connection, type Engine, sql } from "../../sql.ts";
import type { OriginalStore } from "../../store.ts";
import { letGo, survey, sweep } from "./unreferenced.ts";

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

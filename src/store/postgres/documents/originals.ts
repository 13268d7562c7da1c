// The bytes of added files, stored in the database in parts, so that any worker can read what any server received.
import { createHash } from "node:crypto";
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { fromSystem, KnowledgeError } from "../../../domain/errors.ts";
import type { OriginalStore } from "../../store.ts";
import type { Sql } from "../connection.ts";
import type { Database } from "../database.ts";
import { lockOriginals } from "../locks.ts";
import { pipeline } from "../transaction.ts";
import { dropUnreferenced, isKept, survey, sweep, trashUnreferenced } from "./unreferenced.ts";

/** A part travels as text of twice its size; larger parts would only hold more memory. */
const PART_BYTES = 1024 * 1024;

export function openOriginals(database: Database, tempDir: string): OriginalStore {
  const { read, write } = database;
  return {
    async keep(hash, fromPath) {
      // Opened outside the transaction, whose callback never ends if the connection is lost.
      const file = await open(fromPath, "r");
      try {
        await write((sql, kb) => takeIn(sql, kb, { hash, file }));
      } finally {
        await file.close();
      }
    },
    open: (hash) => writeOut(database, hash, tempDir),
    has: (hash) =>
      read(async (sql, kb) => {
        const rows = await sql`SELECT 1 FROM knowledge.originals
          WHERE kb = ${kb} AND content_hash = ${hash} AND ${isKept(sql)}`;
        return rows.length === 1;
      }),
    discard: (hash, createdAt, note) =>
      write(async (sql, kb) => {
        // `createdAt` is in whole milliseconds, so everything within its millisecond counts as before it.
        const [, old] = await pipeline(
          lockOriginals(sql, kb, [hash]),
          sql`SELECT 1 FROM knowledge.originals WHERE kb = ${kb}
            AND content_hash = ${hash} AND kept_at < ${createdAt}::timestamptz + interval '1 ms'`,
        );
        if (old.length !== 1) return "kept";
        const gone = note
          ? await trashUnreferenced(sql, kb, { hashes: [hash], ...note })
          : await dropUnreferenced(sql, kb, [hash]);
        return gone.length === 1 ? "discarded" : "kept";
      }),
    sweep: () => write(sweep),
    survey: () => read(survey),
  };
}

async function takeIn(
  sql: Sql,
  kb: number,
  { hash, file }: { readonly hash: string; readonly file: FileHandle },
): Promise<void> {
  // If two servers receive the same file at once, the second waits and then only renews its time.
  const [, renewed] = await pipeline(
    lockOriginals(sql, kb, [hash]),
    sql`UPDATE knowledge.originals SET kept_at = now(), trashed_at = NULL
      WHERE kb = ${kb} AND content_hash = ${hash}`,
  );
  if (renewed.count === 1) return;
  const { size } = await file.stat();
  const parts = Math.ceil(size / PART_BYTES);
  const buffer = Buffer.allocUnsafe(Math.min(size, PART_BYTES));
  await sql`INSERT INTO knowledge.originals (kb, content_hash, parts, kept_at)
    VALUES (${kb}, ${hash}, ${parts}, now())`;
  for (let part = 0; part < parts; part++) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, part * PART_BYTES);
    await sql`INSERT INTO knowledge.original_parts (kb, content_hash, part, data)
      VALUES (${kb}, ${hash}, ${part}, ${buffer.subarray(0, bytesRead)})`;
  }
}

async function writeOut(
  database: Database,
  hash: string,
  tempDir: string,
): Promise<{ path: string; release(): Promise<void> }> {
  const [start] = await database.read(
    (sql, kb) => sql<Start[]>`
      SELECT o.parts, p.data AS first FROM knowledge.originals o LEFT JOIN knowledge.original_parts p
        ON p.kb = o.kb AND p.content_hash = o.content_hash AND p.part = 0
      WHERE o.kb = ${kb} AND o.content_hash = ${hash}`,
  );
  if (!start) throw gone();
  const folder = await mkdtemp(join(tempDir, "knowledge-original-"));
  const release = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, hash);
  try {
    await writeParts(database, { hash, path, ...start });
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
  database: Database,
  { hash, path, parts, first }: Start & { readonly hash: string; readonly path: string },
): Promise<void> {
  const file = await open(path, "wx", 0o600);
  const digest = createHash("sha256");
  try {
    for (let part = 0; part < parts; part++) {
      const data = part === 0 ? first : await readPart(database, hash, part);
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

async function readPart(database: Database, hash: string, part: number) {
  const [row] = await database.read(
    (sql, kb) => sql<{ data: Buffer }[]>`SELECT data FROM knowledge.original_parts
      WHERE kb = ${kb} AND content_hash = ${hash} AND part = ${part}`,
  );
  return row?.data;
}

function gone(): KnowledgeError {
  return new KnowledgeError(
    "FILE_NOT_FOUND",
    "This document's original is no longer in the database. Add the file again.",
  );
}

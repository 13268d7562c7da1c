// Replaces an overwritten list of tables (sqlite_schema) by that of a fresh database with the same schema.
import { randomUUID } from "node:crypto";
import { closeSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SQLITE_MIGRATIONS } from "../../schema.ts";

/** SQLite's default, which nothing here changes. */
const PAGE_BYTES = 4096;

/** By page number, from 1. */
export type Pages = ReadonlyMap<number, Buffer>;

/** Tables have the same root pages in every database of a schema, because they are created first, in a fixed order. */
export function schemaPages(workDir: string, version: number): Pages {
  const path = join(workDir, `${randomUUID()}.db`);
  const model = new DatabaseSync(path);
  model.exec("PRAGMA auto_vacuum = INCREMENTAL");
  for (const sql of SQLITE_MIGRATIONS.slice(0, version)) model.exec(sql);
  model.exec(`PRAGMA user_version = ${version}`);
  model.close();
  const bytes = readFileSync(path);
  const pageAt = (number: number) => bytes.subarray((number - 1) * PAGE_BYTES, number * PAGE_BYTES);
  return new Map([1, ...childrenOf(pageAt(1))].map((number) => [number, pageAt(number)]));
}

const INNER_PAGE = 5;
const TREE_AT = 100;

/**
 * The children of the first page, which is the root of the list of tables; that tree is never more than two levels
 * deep.
 */
function childrenOf(first: Buffer): readonly number[] {
  if (first[TREE_AT] !== INNER_PAGE) return [];
  const cells = first.readUInt16BE(TREE_AT + 3);
  const inner = Array.from({ length: cells }, (_, at) =>
    first.readUInt32BE(first.readUInt16BE(TREE_AT + 12 + 2 * at)),
  );
  return [...inner, first.readUInt32BE(TREE_AT + 8)];
}

/** Keeps this file's number of pages, and leaves out the free list, which only writers need. */
export function overwritePages(path: string, pages: Pages): void {
  const header = Buffer.from(pages.get(1) ?? []);
  header.writeUInt32BE(Math.floor(statSync(path).size / PAGE_BYTES), 28);
  header.writeUInt32BE(0, 32);
  header.writeUInt32BE(0, 36);
  header.copy(header, 92, 24, 28);
  const descriptor = openSync(path, "r+");
  try {
    for (const [number, page] of new Map([...pages, [1, header]]))
      writeSync(descriptor, page, 0, PAGE_BYTES, (number - 1) * PAGE_BYTES);
  } finally {
    closeSync(descriptor);
  }
}

// What can still be read from a damaged database, row by row: enough to add every document again from its original.
import { mkdirSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import type { ScopeContent } from "../../domain/scope.ts";
import type { AddRequest } from "../../domain/task.ts";
import { DATABASE_FILE, type Database, openDatabase } from "./database.ts";
import { openScopeReader } from "./read-scopes.ts";

export interface Salvage {
  readonly requests: readonly AddRequest[];
  readonly scopes: readonly ScopeContent[];
  /** What could not be read, for people. */
  readonly losses: readonly string[];
}

interface DocumentRow {
  readonly doc: number;
  readonly filename: string;
  readonly source_path: string | null;
  readonly content_hash: string;
  readonly size_bytes: number;
  readonly metadata: string;
}

// Rows on a damaged page fail one by one; after this many in a row nothing more is expected behind them.
const GIVE_UP_AFTER = 20_000;

/** Empty when the database is sound. A database that cannot even be opened is one problem. */
export function findDamage(dataDir: string): readonly string[] {
  try {
    const database = openDatabase(dataDir);
    try {
      const rows = database.all<{ integrity_check: string }>("PRAGMA integrity_check(20)");
      return rows.map((row) => row.integrity_check).filter((line) => line !== "ok");
    } finally {
      database.close();
    }
  } catch (thrown) {
    return [thrown instanceof Error ? thrown.message : String(thrown)];
  }
}

export function salvage(dataDir: string): Salvage {
  let database: Database;
  try {
    database = openDatabase(dataDir);
  } catch {
    return {
      requests: [],
      scopes: [],
      losses: ["the database cannot be opened: names, metadata and rules"],
    };
  }
  try {
    const losses: string[] = [];
    const requests = readDocuments(database, losses);
    return { requests, scopes: readScopes(database, losses), losses };
  } finally {
    database.close();
  }
}

function readDocuments(database: Database, losses: string[]): readonly AddRequest[] {
  const requests: AddRequest[] = [];
  let failures = 0;
  for (let after = 0; failures < GIVE_UP_AFTER; ) {
    try {
      const row = database.get<DocumentRow>(
        `SELECT doc, filename, source_path, content_hash, size_bytes, metadata
         FROM documents WHERE doc > ? ORDER BY doc LIMIT 1`,
        after,
      );
      if (!row) break;
      requests.push(toRequest(row));
      after = row.doc;
      failures = 0;
    } catch {
      after += 1;
      failures += 1;
    }
  }
  if (failures > 0) losses.push("some documents' names and metadata");
  return requests;
}

function toRequest(row: DocumentRow): AddRequest {
  return {
    contentHash: row.content_hash,
    filename: row.filename,
    sizeBytes: row.size_bytes,
    metadata: JSON.parse(row.metadata),
    forceOcr: false,
    ...(row.source_path === null ? {} : { sourcePath: row.source_path }),
  };
}

function readScopes(database: Database, losses: string[]): readonly ScopeContent[] {
  try {
    return openScopeReader(database).allScopes();
  } catch {
    losses.push("the rules: import them again");
    return [];
  }
}

/** The damaged files stay beside the new ones: nothing is thrown away. */
export function setAside(dataDir: string): string {
  const name = `damaged-${new Date().toISOString().replaceAll(":", "-")}`;
  mkdirSync(join(dataDir, name), { recursive: true, mode: 0o700 });
  for (const file of readdirSync(dataDir)) {
    if (file.startsWith(DATABASE_FILE)) renameSync(join(dataDir, file), join(dataDir, name, file));
  }
  return name;
}

/** Every original that is kept, by its hash. */
export function keptOriginals(dataDir: string): readonly string[] {
  const folder = join(dataDir, "originals");
  try {
    return readdirSync(folder, { recursive: true })
      .map((path) => String(path).split(/[/\\]/).at(-1) ?? "")
      .filter((name) => /^[0-9a-f]{64}$/.test(name));
  } catch {
    return [];
  }
}

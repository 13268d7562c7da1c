// One connection to knowledge.db: opened, migrated, with transactions that wait for other processes.

import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { KnowledgeError } from "../../domain/errors.ts";
import { cannotOpen, damaged, isContention, isFull, readOnly, toStoreError } from "./failures.ts";
import {
  addIdentity,
  type IdentityRow,
  leniently,
  openIdentityRow,
} from "./folder/identity-row.ts";
import type { KnownId } from "./folder/known-id.ts";
import { type FolderLock, makeFolder, shareFolder } from "./folder/lock.ts";
import { createPrivately, tighten } from "./folder/modes.ts";
import { fileAt, movedError, type OpenFile, rememberFile } from "./folder/open-file.ts";
import { peekVersion } from "./folder/peek.ts";
import { refuseUnfinished } from "./folder/swap.ts";
import { asArrays, openReadOnly, rollBack } from "./older-node.ts";
import { LAST_ADDITION, MIGRATIONS } from "./schema.ts";

export const DATABASE_FILE = "knowledge.db";

/**
 * SQLite's own waiting grows to steps of 100 ms, in which a busy writer takes the lock again and again. Short
 * steps of our own find the moment between its transactions.
 */
const STEP_MS = 4;
/** A process may hold the write lock while it commits a very large document. */
const PATIENCE_MS = 120_000;

export interface Database {
  /** Set when the folder cannot be written to. */
  readonly readOnly: boolean;
  /** Whose database this is; its `claim` waits while another process writes. */
  readonly identity: IdentityRow;
  /** False: the file was moved, deleted or replaced, and nothing more is written. */
  isAtPath(): boolean;
  isReplaced(): boolean;
  /** Whether a write could begin now, without waiting for other processes. */
  isWritable(): boolean;
  get<Row>(sql: string, ...values: SQLInputValue[]): Row | undefined;
  all<Row>(sql: string, ...values: SQLInputValue[]): Row[];
  run(sql: string, ...values: SQLInputValue[]): { changes: number; lastId: number };
  /** Prepared once, kept. */
  statement(sql: string): StatementSync;
  /** Rows as arrays: for scans. */
  rows(sql: string): StatementSync;
  /** All or nothing, durable at this path when it returns; waits while another process writes. */
  write<Result>(work: () => Result): Result;
  /** Everything inside sees one state of the database. */
  read<Result>(work: () => Result): Result;
  /** Gives the pages that nothing uses back to the disk. */
  reclaim(): void;
  close(): void;
}

export interface OpenOptions {
  /** Names this store of this process, so that it knows a database that it created itself. */
  readonly run?: string;
  /** What the store's other thread has open: it must be the same knowledge base. */
  readonly known?: KnownId;
  /** Counted up with every statement, so that whoever waits can tell slow from stuck. */
  readonly pulse?: Int32Array;
}

/** Shares the folder with other processes for as long as it is open. */
export function openDatabase(dataDir: string, options: OpenOptions = {}): Database {
  refuseNewer(dataDir);
  // Before the lock's file is created: nothing is made where a folder was.
  const isGone = fileAt(join(dataDir, DATABASE_FILE)) === undefined;
  if (isGone && options.known?.get() !== undefined) throw movedError();
  const lock = shareFolder(dataDir);
  try {
    refuseUnfinished(dataDir);
    return openUnder(lock, dataDir, options);
  } catch (thrown) {
    lock.release();
    throw thrown;
  }
}

/** For maintenance, which has the folder to itself already. */
export function openDatabaseAlone(dataDir: string): Database {
  refuseNewer(dataDir);
  return openUnder({ release: () => {} }, dataDir, {});
}

/** Before anything is created or recovered: a newer program's folder is left as it is, to the byte. */
export function refuseNewer(dataDir: string): void {
  const version = peekVersion(join(dataDir, DATABASE_FILE));
  if (version !== undefined) refuseForeign(version, { exact: false });
}

function openUnder(lock: FolderLock, dataDir: string, options: OpenOptions): Database {
  const { pulse = new Int32Array(1) } = options;
  const path = join(dataDir, DATABASE_FILE);
  const before = fileAt(path);
  const { connection, writable } = connect(dataDir);
  try {
    if (writable) migrate(connection, dataDir, options.run ?? "");
    else refuseForeign(versionOf(connection), { exact: true });
    const identity = patiently(() => openIdentityRow(connection, { dataDir, writable }));
    if (identity.id !== "" && options.known?.matches(identity.id) === false) throw movedError();
    const file = rememberFile(path, { withLog: writable });
    if (before !== undefined && fileAt(path) !== before) throw movedError();
    if (writable) leniently(() => patiently(identity.claim));
    const database = wrap(connection, { isReadOnly: !writable, identity, file, dataDir, pulse });
    return {
      ...database,
      close() {
        database.close();
        lock.release();
      },
    };
  } catch (thrown) {
    connection.close();
    throw toStoreError(thrown, dataDir);
  }
}

/**
 * True when another file at the path, with a log of its own, holds the same knowledge base: what a restore leaves.
 * The old connection may then be closed: SQLite leaves the log at the path alone when the file is no longer there.
 */
export function isSameBase(dataDir: string, { identity, isReplaced }: Database): boolean {
  if (identity.id === "" || !isReplaced()) return false;
  let other: DatabaseSync | undefined;
  try {
    other = connectReadOnly(dataDir, movedError());
    return openIdentityRow(other, { dataDir, writable: false }).id === identity.id;
  } catch {
    return false;
  } finally {
    other?.close();
  }
}

function connect(dataDir: string): { connection: DatabaseSync; writable: boolean } {
  const path = join(dataDir, DATABASE_FILE);
  try {
    makeFolder(dataDir);
    createPrivately(path);
    const connection = new DatabaseSync(path, { timeout: 0 });
    try {
      patiently(() => {
        // Only before the first table can this be chosen; it lets `reclaim` give pages back.
        connection.exec("PRAGMA auto_vacuum = INCREMENTAL");
        connection.exec("PRAGMA journal_mode = WAL");
      });
      // SQLite falls back to reading without a word.
      for (const each of [dataDir, path]) accessSync(each, constants.W_OK);
    } catch (thrown) {
      connection.close();
      throw thrown;
    }
    tune(connection);
    connection.exec("PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864");
    tighten(dataDir);
    return { connection, writable: true };
  } catch (thrown) {
    const system = (thrown as { code?: unknown }).code;
    const isReadable = cannotOpen(thrown) || system === "EROFS" || system === "EACCES";
    // A full disk is not read-only: the next call tries again, for there may be space by then.
    if (isReadable && !isFull(dataDir)) {
      return { connection: connectReadOnly(dataDir, thrown), writable: false };
    }
    throw toStoreError(thrown, dataDir);
  }
}

/** Throws `cause`, in the catalogue's words, when there is no way to read either. */
export function connectReadOnly(dataDir: string, cause: unknown): DatabaseSync {
  const path = join(dataDir, DATABASE_FILE);
  // A WAL database in a folder where not even its -shm file can be made is only readable as immutable:
  // nobody else can be writing there, or that file would exist.
  for (const flags of ["", "?immutable=1"]) {
    try {
      const connection = openReadOnly(new URL(pathToFileURL(path).href + flags));
      connection.prepare("SELECT 1 FROM sqlite_schema").get();
      tune(connection);
      return connection;
    } catch {
      // The next way, or the reason why writing failed.
    }
  }
  throw toStoreError(cause);
}

function tune(connection: DatabaseSync): void {
  // No mmap: pages that were only passed over would count as the server's memory.
  connection.exec("PRAGMA cache_size = -16384; PRAGMA mmap_size = 0");
}

function versionOf(connection: DatabaseSync): number {
  return Number(connection.prepare("PRAGMA user_version").get()?.["user_version"]);
}

/** No program will ever have so many migrations: the header was overwritten. */
const IMPLAUSIBLE_VERSION = 10_000;

function refuseForeign(version: number, { exact }: { exact: boolean }): void {
  if (version >= IMPLAUSIBLE_VERSION) throw damaged();
  if (version > MIGRATIONS.length) {
    throw new KnowledgeError(
      "STORE_TOO_NEW",
      "This data folder was written by a newer version of the server. Update this server, or choose another folder with --data-dir.",
      { details: { found: version, known: MIGRATIONS.length } },
    );
  }
  if (exact && version < MIGRATIONS.length) {
    throw new KnowledgeError(
      "STORE_UNAVAILABLE",
      "This data folder needs to be brought up to date, but it cannot be written to.",
    );
  }
}

function migrate(connection: DatabaseSync, dataDir: string, run: string): void {
  refuseForeign(versionOf(connection), { exact: false });
  if (versionOf(connection) < MIGRATIONS.length) {
    migrateOnce(connection, dataDir, run);
    return;
  }
  leniently(() => {
    if (!hasAdditions(connection)) migrateOnce(connection, dataDir, run);
  });
}

function migrateOnce(connection: DatabaseSync, dataDir: string, run: string): void {
  patiently(() => {
    connection.exec("BEGIN IMMEDIATE");
    try {
      // Another process may have migrated while this one waited for the lock.
      const from = versionOf(connection);
      refuseForeign(from, { exact: false });
      for (const sql of MIGRATIONS.slice(from)) connection.exec(sql);
      // In the transaction that creates the database: one without an id is taken for an old one, which owns its folder.
      addIdentity(connection, { dataDir, createdBy: from === 0 ? run : undefined });
      if (from < MIGRATIONS.length) connection.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
      connection.exec("COMMIT");
    } catch (thrown) {
      rollBack(connection);
      throw thrown;
    }
  });
}

function hasAdditions(connection: DatabaseSync): boolean {
  const tables = "SELECT 1 FROM sqlite_schema WHERE name = ?";
  return patiently(() => connection.prepare(tables).get(LAST_ADDITION)) !== undefined;
}

interface Opened {
  readonly isReadOnly: boolean;
  readonly identity: IdentityRow;
  readonly file: OpenFile;
  readonly dataDir: string;
  readonly pulse: Int32Array;
}

/** An open connection with the statements that it has prepared. */
interface Connection extends Opened {
  readonly connection: DatabaseSync;
  readonly prepared: Map<string, StatementSync>;
}

function wrap(connection: DatabaseSync, opened: Opened): Database {
  const { isReadOnly, identity, file, dataDir } = opened;
  const open: Connection = { ...opened, connection, prepared: new Map() };
  const statement = (sql: string) => {
    Atomics.add(open.pulse, 0, 1);
    return prepare(open, sql, () => connection.prepare(sql));
  };
  const translated = <Result>(work: () => Result) => translate(dataDir, work);
  return {
    readOnly: isReadOnly,
    identity: { ...identity, claim: () => translated(() => patiently(identity.claim)) },
    ...file,
    isWritable: () => !isReadOnly && canBegin(connection),
    statement,
    rows: (sql) => prepare(open, `rows ${sql}`, () => asArrays(connection.prepare(sql))),
    get: <Row>(sql: string, ...values: SQLInputValue[]) =>
      statement(sql).get(...values) as Row | undefined,
    all: <Row>(sql: string, ...values: SQLInputValue[]) =>
      statement(sql).all(...values) as unknown as Row[],
    run(sql, ...values) {
      const { changes, lastInsertRowid } = statement(sql).run(...values);
      return { changes: Number(changes), lastId: Number(lastInsertRowid) };
    },
    write(work) {
      if (isReadOnly) throw readOnly();
      const version = () => Number(statement("PRAGMA user_version").get()?.["user_version"]);
      return translated(() => write(open, version, work));
    },
    // A read can meet a lock too: the first connection after a crash recovers the log alone.
    read: (work) => translated(() => patiently(() => inside(open, "BEGIN", work))),
    reclaim: () => translated(() => patiently(() => connection.exec("PRAGMA incremental_vacuum"))),
    close: () => connection.close(),
  };
}

function translate<Result>(dataDir: string, work: () => Result): Result {
  try {
    return work();
  } catch (thrown) {
    throw toStoreError(thrown, dataDir);
  }
}

function prepare({ prepared }: Connection, key: string, make: () => StatementSync): StatementSync {
  const known = prepared.get(key);
  if (known) return known;
  const fresh = patiently(make);
  prepared.set(key, fresh);
  return fresh;
}

function inside<Result>(
  { connection, pulse }: Connection,
  begin: string,
  work: () => Result,
): Result {
  patiently(() => connection.exec(begin));
  try {
    const result = work();
    Atomics.add(pulse, 0, 1);
    patiently(() => connection.exec("COMMIT"));
    return result;
  } catch (thrown) {
    rollBack(connection);
    throw thrown;
  }
}

function write<Result>(open: Connection, version: () => number, work: () => Result): Result {
  const mustBeAtPath = () => {
    if (!open.file.isAtPath()) throw movedError();
  };
  const result = inside(open, "BEGIN IMMEDIATE", () => {
    // A newer program may have migrated the file while this one had it open.
    refuseForeign(version(), { exact: false });
    const done = work();
    mustBeAtPath();
    return done;
  });
  // Once more before it counts: the file may have left between the look and the commit.
  mustBeAtPath();
  return result;
}

function canBegin(connection: DatabaseSync): boolean {
  try {
    connection.exec("BEGIN IMMEDIATE");
    connection.exec("ROLLBACK");
    return true;
  } catch (thrown) {
    rollBack(connection);
    return isContention(thrown);
  }
}

/** Runs again while other processes hold a lock: only a worker thread waits here. */
function patiently<Result>(attempt: () => Result): Result {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return attempt();
    } catch (thrown) {
      if (!isContention(thrown) || performance.now() > deadline) throw thrown;
      sleep(STEP_MS * Math.random());
    }
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

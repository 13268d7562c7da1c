// One connection to knowledge.db: opened, migrated, with transactions that wait for other processes.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { connect, connectReadOnly, DATABASE_FILE } from "./connect.ts";
import { damaged, isContention, lostLog, readOnly, toStoreError } from "./failures.ts";
import type { FileLock } from "./folder/file-lock.ts";
import { type IdentityRow, ignoringDamage, openIdentityRow } from "./folder/identity.ts";
import { isLogDamaged } from "./folder/inspect-database.ts";
import { shareFolder } from "./folder/lock.ts";
import {
  fileAt,
  logFilesAt,
  movedError,
  type OpenFile,
  type OpenLog,
  rememberFile,
} from "./folder/open-file.ts";
import { refuseUnfinished } from "./folder/replace-database.ts";
import type { LogFiles, SharedByThreads } from "./folder/shared-by-threads.ts";
import { migrate, refuseForeign, refuseNewer, schemaOf } from "./migrate.ts";
import { rollBack } from "./older-node.ts";
import { retryWhileLocked } from "./retry-while-locked.ts";
import { openStatements, type Statements } from "./statements.ts";

export interface Database extends Statements {
  /** Set if the folder is read-only. */
  readonly readOnly: boolean;
  /** The knowledge base's identity; `claim` waits while another process writes. */
  readonly identity: IdentityRow;
  /** False if the file was moved, deleted or replaced; nothing more is written then. */
  isAtPath(): boolean;
  isReplaced(): boolean;
  readonly log: OpenLog;
  /** True if another process has made changes that this connection cannot see, so it has to be reopened. */
  readonly isOutdated?: () => boolean;
  /** Whether a write could begin now, without waiting for other processes. */
  isWritable(): boolean;
  /**
   * All or nothing, durable at this path when it resolves; waits while another process writes. `work` must resolve at
   * once: two transactions that overlap on one connection fail at BEGIN.
   */
  write<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Everything inside sees one state of the database. */
  read<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Returns unused pages to the file system. */
  reclaim(): void;
  close(): void;
}

export interface OpenOptions {
  /** What the store's other thread has open; this one must open the same. */
  readonly shared?: SharedByThreads;
}

/** Shares the folder with other processes for as long as it is open. */
export function openDatabase(dataDir: string, options: OpenOptions = {}): Database {
  refuseNewer(dataDir);
  // Before the lock file is created, so that a folder that was moved is not created again.
  const isGone = fileAt(join(dataDir, DATABASE_FILE)) === undefined;
  if (isGone && options.shared?.hasId()) throw movedError();
  const lock = shareFolder(dataDir);
  try {
    refuseUnfinished(dataDir);
    refuseDamagedLog(dataDir);
    return openUnder(lock, dataDir, options);
  } catch (thrown) {
    lock.release();
    throw thrown;
  }
}

/** SQLite ignores everything behind the damage, and overwrites it with the next change. */
function refuseDamagedLog(dataDir: string): void {
  const path = join(dataDir, `${DATABASE_FILE}-wal`);
  if (isLogDamaged(path)) throw damaged(undefined, "The database's log, knowledge.db-wal,");
}

function openUnder(lock: FileLock, dataDir: string, options: OpenOptions): Database {
  const path = join(dataDir, DATABASE_FILE);
  const before = fileAt(path);
  refuseOtherLog(options, logFilesAt(path));
  const { connection, writable, ...outdated } = connect(dataDir);
  try {
    if (writable) migrate(connection, dataDir);
    else refuseForeign(schemaOf(connection), { exact: true });
    const identity = retryWhileLocked(() => openIdentityRow({ connection, dataDir, writable }));
    if (identity.id !== "" && options.shared?.matchesId(identity.id) === false) throw movedError();
    const file = rememberFile(path, { withLog: writable });
    if (writable) refuseOtherLog(options, file.log.files);
    if (before !== undefined && fileAt(path) !== before) throw movedError();
    if (writable && options.shared?.claimLog(file.log.files) === false) throw lostLog();
    if (writable) ignoringDamage(() => retryWhileLocked(identity.claim));
    const opened = { connection, readOnly: !writable, identity, file, dataDir };
    return { ...wrap(opened, lock), ...outdated };
  } catch (thrown) {
    connection.close();
    throw toStoreError(thrown, dataDir);
  }
}

function refuseOtherLog({ shared }: OpenOptions, files: LogFiles): void {
  if (shared?.conflicts(files)) throw lostLog();
}

/**
 * True if the file that replaced this one has the same knowledge base, as after a restore.
 * The old connection may then be closed: SQLite leaves the log at the path alone when the file is no longer there.
 */
export function isSameBase(dataDir: string, { identity }: Database): boolean {
  if (identity.id === "") return false;
  let other: DatabaseSync | undefined;
  try {
    other = connectReadOnly(dataDir, movedError()).connection;
    return openIdentityRow({ connection: other, dataDir, writable: false }).id === identity.id;
  } catch {
    return false;
  } finally {
    other?.close();
  }
}

interface Opened extends Pick<Database, "readOnly" | "identity"> {
  readonly connection: DatabaseSync;
  readonly file: OpenFile;
  readonly dataDir: string;
}

function wrap(opened: Opened, lock: FileLock): Database {
  const { connection, readOnly: isReadOnly, identity, file, dataDir } = opened;
  const rethrow = (thrown: unknown): never => {
    throw toStoreError(thrown, dataDir);
  };
  const retried = <Result>(work: () => Result): Result => {
    try {
      return retryWhileLocked(work);
    } catch (thrown) {
      return rethrow(thrown);
    }
  };
  return {
    readOnly: isReadOnly,
    identity: { ...identity, claim: () => retried(identity.claim) },
    ...file,
    isWritable: () => !isReadOnly && canBegin(connection),
    ...openStatements(connection, retryWhileLocked),
    write: async (work) => (isReadOnly ? rethrow(readOnly()) : write(opened, work).catch(rethrow)),
    read: (work) => inside(opened, "BEGIN", work).catch(rethrow),
    reclaim: () => retried(() => connection.exec("PRAGMA incremental_vacuum")),
    close() {
      closeConnection(opened);
      lock.release();
    },
  };
}

async function inside<Result>(
  { connection }: Opened,
  begin: string,
  work: () => Promise<Result>,
): Promise<Result> {
  retryWhileLocked(() => connection.exec(begin));
  try {
    const result = await work();
    retryWhileLocked(() => connection.exec("COMMIT"));
    return result;
  } catch (thrown) {
    rollBack(connection);
    throw thrown;
  }
}

async function write<Result>(opened: Opened, work: () => Promise<Result>): Promise<Result> {
  const mustBeAtPath = () => {
    if (!opened.file.isAtPath()) throw movedError();
  };
  const result = await inside(opened, "BEGIN IMMEDIATE", async () => {
    // A newer program may have migrated the file while this one had it open.
    refuseForeign(schemaOf(opened.connection), { exact: false });
    const done = await work();
    mustBeAtPath();
    return done;
  });
  // Check again: the file may have moved between the first check and the commit.
  mustBeAtPath();
  return result;
}

/**
 * The last connection to close writes its log into the database and deletes the log at the path. After the log was
 * deleted, that would store changes that only the deleted log has, or destroy what others have written since.
 */
function closeConnection({ connection, file: { log }, dataDir }: Opened): void {
  const state = log.state();
  if (state === "alone") ignoringDamage(() => connection.exec("PRAGMA wal_checkpoint(PASSIVE)"));
  if (state === "overtaken") closeUnwritten(connection, join(dataDir, DATABASE_FILE));
  else connection.close();
}

/**
 * SQLite writes the log back only if it gets the exclusive lock on the database. A second connection prevents that,
 * and because it only reads, it never gets that lock itself.
 */
function closeUnwritten(connection: DatabaseSync, path: string): void {
  const other = new DatabaseSync(path, { readOnly: true });
  try {
    other.prepare("SELECT 1 FROM sqlite_schema").get();
  } catch {
    // The query may fail by reading the new log with the index of the old one, but the connection has its lock anyway.
  }
  connection.close();
  other.close();
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

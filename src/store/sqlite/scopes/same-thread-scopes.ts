// Reads rules and their version on the caller's thread: an agent asks once per process, and starting a thread takes longer
// than all its queries. SQLite's data_version shows whether another connection has committed.

import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { SQLITE_MIGRATIONS } from "../../schema.ts";
import { openScopes, type ScopeRepository } from "../../scopes/scopes.ts";
import { connectReadOnly, DATABASE_FILE } from "../connect.ts";
import { openReadingEngine } from "../engine.ts";
import { isContention } from "../failures.ts";
import { type FolderLock, shareAtOnce } from "../folder/lock.ts";
import { movedError, type OpenFile, rememberFile } from "../folder/open-file.ts";
import { refuseUnfinished } from "../folder/swap.ts";
import { refuseNewer } from "../migrate.ts";
import { asArrays } from "../older-node.ts";
import { retryWhileLockedAsync } from "../retry-while-locked.ts";

export interface SameThreadScopes {
  version(): number | Promise<number>;
  /** Undefined if this thread would have to wait or cannot read; the reading thread is used instead. */
  read<Result>(work: (scopes: ScopeRepository) => Promise<Result>): Promise<Result | undefined>;
  /** Closes the connection; nothing is opened on this thread until `resume`. */
  suspend(): void;
  resume(): void;
  close(): void;
}

export interface StoreCallbacks {
  /** Creates and migrates the database, so that this thread never waits for a lock. */
  prepareDatabase(): Promise<unknown>;
  /** Opens all connections of the store again, because the log was deleted. */
  reopen(): Promise<void>;
}

interface Watch {
  readonly connection: DatabaseSync;
  readonly file: OpenFile;
  readonly commits: StatementSync;
  readonly current: StatementSync;
  readonly scopes: ScopeRepository;
  readonly lock?: FolderLock;
  readonly isOutdated?: () => boolean;
}

interface State {
  watch?: Watch | undefined;
  seenCommits: number;
  version: number;
  checkedAt: number;
  isSuspended: boolean;
  /** The reads before, because one connection has one transaction at a time. */
  reading: Promise<unknown>;
}

// Databases are rarely restored, and checking the file on every call of `version` would cost more than the call itself.
const CHECK_EVERY_MS = 1_000;

export function openSameThreadScopes(dataDir: string, callbacks: StoreCallbacks): SameThreadScopes {
  const nothing = { seenCommits: -1, version: 0, checkedAt: 0, isSuspended: false };
  const state: State = { ...nothing, reading: Promise.resolve() };
  const close = () => closeWatch(state);
  const current = (checksFile: boolean): Watch | undefined => {
    // If reopening fails, the next call notices the lost log again.
    if (checksFile && checkFile(state) === "log-lost") callbacks.reopen().catch(() => {});
    if (state.watch?.isOutdated?.()) close();
    if (!state.isSuspended) state.watch ??= openAtOnce(dataDir);
    return state.watch;
  };
  return {
    version() {
      const watch = current(performance.now() - state.checkedAt >= CHECK_EVERY_MS);
      try {
        if (watch) return readVersion(state, watch);
      } catch (thrown) {
        // Another process holds a lock, so the version cannot be read right now.
        if (!isContention(thrown)) throw thrown;
      }
      return callbacks
        .prepareDatabase()
        .then(() => retryWhileLockedAsync(() => openAndRead(state, dataDir)));
    },
    read: (work) => {
      const result = state.reading.then(() => {
        const watch = current(true);
        return watch && work(watch.scopes);
      });
      state.reading = result.catch(() => {});
      return result.catch(() => undefined);
    },
    suspend() {
      close();
      state.isSuspended = true;
    },
    resume() {
      state.isSuspended = false;
    },
    close,
  };
}

function closeWatch(state: State): void {
  state.watch?.connection.close();
  state.watch?.lock?.release();
  state.watch = undefined;
  state.seenCommits = -1;
}

function checkFile(state: State): "ok" | "log-lost" {
  state.checkedAt = performance.now();
  if (state.watch === undefined || state.watch.file.isAtPath()) return "ok";
  if (state.watch.file.isReplaced()) closeWatch(state);
  return state.watch?.file.log.isLost() ? "log-lost" : "ok";
}

function openAndRead(state: State, dataDir: string): number {
  state.watch ??= openReadOnlyWatch(dataDir);
  return readVersion(state, state.watch);
}

function readVersion(state: State, { commits, current }: Watch): number {
  const now = (commits.get() as unknown as [number])[0];
  if (now === state.seenCommits) return state.version;
  state.version = (current.get() as unknown as [number])[0];
  state.seenCommits = now;
  return state.version;
}

/** Undefined if the folder cannot be read without waiting; the reading thread then finds out why. */
function openAtOnce(dataDir: string): Watch | undefined {
  let lock: FolderLock | undefined;
  let connection: DatabaseSync | undefined;
  try {
    refuseNewer(dataDir);
    lock = shareAtOnce(dataDir);
    if (!lock) return undefined;
    refuseUnfinished(dataDir);
    connection = new DatabaseSync(join(dataDir, DATABASE_FILE), { readOnly: true, timeout: 0 });
    const { user_version: version } = connection.prepare("PRAGMA user_version").get() ?? {};
    if (version === SQLITE_MIGRATIONS.length) {
      return { ...openWatch(dataDir, connection, { withLog: true }), lock };
    }
  } catch {
    // No file, no permission, a lock or damage: the reading thread reports each of them.
  }
  connection?.close();
  lock?.release();
  return undefined;
}

function openReadOnlyWatch(dataDir: string): Watch {
  const { connection, ...outdated } = connectReadOnly(dataDir, movedError());
  try {
    return { ...openWatch(dataDir, connection, { withLog: false }), ...outdated };
  } catch (thrown) {
    connection.close();
    throw thrown;
  }
}

function openWatch(
  dataDir: string,
  connection: DatabaseSync,
  options: { readonly withLog: boolean },
): Watch {
  const array = (sql: string) => asArrays(connection.prepare(sql));
  return {
    connection,
    file: rememberFile(join(dataDir, DATABASE_FILE), options),
    commits: array("PRAGMA data_version"),
    current: array("SELECT scopes_version FROM bases"),
    scopes: openScopes(openReadingEngine(connection)),
  };
}

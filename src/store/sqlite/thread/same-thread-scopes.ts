// Reads rules and their version on the caller's thread: an agent asks once per process, and starting a thread takes longer
// than all its queries. SQLite's data_version shows whether another connection has committed.

import { join } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { SQLITE_MIGRATIONS } from "../../schema.ts";
import { openScopes, type ScopeRepository } from "../../scopes/scopes.ts";
import { DATABASE_FILE } from "../connect.ts";
import { openReadingEngine } from "../engine.ts";
import { isContention, lostLog } from "../failures.ts";
import type { FileLock } from "../folder/file-lock.ts";
import type { Known } from "../folder/known.ts";
import { shareAtOnce } from "../folder/lock.ts";
import { logPairAt, type OpenFile, rememberFile } from "../folder/open-file.ts";
import { refuseUnfinished } from "../folder/swap.ts";
import { refuseNewer } from "../migrate.ts";
import { asArrays } from "../older-node.ts";

export interface SameThreadScopes {
  /** Undefined if this thread would have to wait or cannot read; the reading thread is used instead. */
  version(): number | undefined;
  /** The same. */
  read<Result>(work: (scopes: ScopeRepository) => Promise<Result>): Promise<Result | undefined>;
  /** The next call opens it again. */
  close(): void;
}

interface Watch {
  readonly connection: DatabaseSync;
  readonly lock: FileLock;
  readonly file: OpenFile;
  readonly commits: StatementSync;
  readonly current: StatementSync;
  readonly scopes: ScopeRepository;
}

interface State {
  watch?: Watch | undefined;
  seenCommits: number;
  version: number;
  checkedAt: number;
  /** The reads before, because one connection has one transaction at a time. */
  reading: Promise<unknown>;
}

// Databases are rarely restored, and checking the file on every call of `version` would cost more than the call itself.
const CHECK_EVERY_MS = 1_000;

export function openSameThreadScopes(dataDir: string, known: Known): SameThreadScopes {
  const nothing = { seenCommits: -1, version: 0, checkedAt: 0 };
  const state: State = { ...nothing, reading: Promise.resolve() };
  const current = (checksFile: boolean): Watch | undefined => {
    if (checksFile) checkFile(state);
    state.watch ??= openAtOnce(dataDir, known);
    return state.watch;
  };
  return {
    version() {
      const watch = current(performance.now() - state.checkedAt >= CHECK_EVERY_MS);
      try {
        return watch && readVersion(state, watch);
      } catch (thrown) {
        // Another process holds a lock, so the version cannot be read right now.
        if (isContention(thrown)) return undefined;
        throw thrown;
      }
    },
    read: (work) => {
      const result = state.reading.then(() => {
        const watch = current(true);
        return watch && work(watch.scopes);
      });
      state.reading = result.catch(() => {});
      return result.catch(() => undefined);
    },
    close: () => closeWatch(state),
  };
}

function closeWatch(state: State): void {
  state.watch?.connection.close();
  state.watch?.lock.release();
  state.watch = undefined;
  state.seenCommits = -1;
}

/** If the log was deleted, the reading thread opens the database again, with all connections of the store. */
function checkFile(state: State): void {
  state.checkedAt = performance.now();
  const { file } = state.watch ?? {};
  if (file?.isReplaced() || file?.log.isLost()) closeWatch(state);
}

function readVersion(state: State, { commits, current }: Watch): number {
  const now = (commits.get() as unknown as [number])[0];
  if (now === state.seenCommits) return state.version;
  state.version = (current.get() as unknown as [number])[0];
  state.seenCommits = now;
  return state.version;
}

/** Undefined if the folder cannot be read without waiting; the reading thread then finds out why. */
function openAtOnce(dataDir: string, known: Known): Watch | undefined {
  let lock: FileLock | undefined;
  let connection: DatabaseSync | undefined;
  try {
    refuseNewer(dataDir);
    lock = shareAtOnce(dataDir);
    if (!lock) return undefined;
    refuseUnfinished(dataDir);
    const path = join(dataDir, DATABASE_FILE);
    if (known.conflicts(logPairAt(path))) throw lostLog();
    connection = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    const { user_version: version } = connection.prepare("PRAGMA user_version").get() ?? {};
    if (version === SQLITE_MIGRATIONS.length) return { ...openWatch(dataDir, connection), lock };
  } catch {
    // No file, no permission, a lock or damage: the reading thread reports each of them.
  }
  connection?.close();
  lock?.release();
  return undefined;
}

function openWatch(dataDir: string, connection: DatabaseSync): Omit<Watch, "lock"> {
  const array = (sql: string) => asArrays(connection.prepare(sql));
  return {
    connection,
    file: rememberFile(join(dataDir, DATABASE_FILE), { withLog: true }),
    commits: array("PRAGMA data_version"),
    current: array("SELECT scopes_version FROM bases"),
    scopes: openScopes(openReadingEngine(connection)),
  };
}

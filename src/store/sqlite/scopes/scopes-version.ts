// The scopes' version in microseconds: SQLite says in one word whether any other connection has committed;
// only then is the number read.
import { join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { connectReadOnly, DATABASE_FILE } from "../database.ts";
import { isContention } from "../failures.ts";
import { movedError, type OpenFile, rememberFile } from "../folder/open-file.ts";

export interface ScopesVersion {
  get(): number | Promise<number>;
  close(): void;
}

interface Watch {
  readonly connection: DatabaseSync;
  readonly file: OpenFile;
  readonly commits: StatementSync;
  readonly current: StatementSync;
}

export function openScopesVersion(
  dataDir: string,
  prepareDatabase: () => Promise<unknown>,
): ScopesVersion {
  const state: State = { seenCommits: -1, version: 0, checkedAt: 0 };
  const look = ({ commits, current }: Watch): number => {
    try {
      const now = (commits.get() as unknown as [number])[0];
      if (now === state.seenCommits) return state.version;
      state.version = (current.get() as unknown as [number])[0];
      state.seenCommits = now;
    } catch (thrown) {
      // The last known number serves until the lock is gone; the next call looks again.
      if (!isContention(thrown)) throw thrown;
    }
    return state.version;
  };
  const close = () => {
    state.watch?.connection.close();
    delete state.watch;
    state.seenCommits = -1;
  };
  return {
    get() {
      if (isDue(state) && state.watch?.file.isReplaced()) close();
      if (state.watch) return look(state.watch);
      // A thread creates and migrates the file, so that this one never waits for a lock.
      return prepareDatabase().then(() => {
        state.watch ??= openWatch(dataDir);
        return look(state.watch);
      });
    },
    close,
  };
}

interface State {
  watch?: Watch;
  seenCommits: number;
  version: number;
  checkedAt: number;
}

/** A restored database is a rare event: looking for it at every call would cost more than the call. */
const CHECK_EVERY_MS = 1_000;

function isDue(state: State): boolean {
  const now = performance.now();
  if (now - state.checkedAt < CHECK_EVERY_MS) return false;
  state.checkedAt = now;
  return true;
}

function openWatch(dataDir: string): Watch {
  // A thread has it open, so it has left its path since.
  const connection = connectReadOnly(dataDir, movedError());
  const array = (sql: string) => {
    const statement = connection.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  return {
    connection,
    file: rememberFile(join(dataDir, DATABASE_FILE), { withLog: false }),
    commits: array("PRAGMA data_version"),
    current: array("SELECT scopes_version FROM state"),
  };
}

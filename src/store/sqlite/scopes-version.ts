// The scopes' version in microseconds: SQLite says in one word whether any other connection has committed;
// only then is the number read.
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { connectReadOnly } from "./database.ts";
import { isContention } from "./failures.ts";

export interface ScopesVersion {
  get(): number | Promise<number>;
  close(): void;
}

interface Watch {
  readonly connection: DatabaseSync;
  readonly commits: StatementSync;
  readonly current: StatementSync;
}

export function openScopesVersion(
  dataDir: string,
  prepareDatabase: () => Promise<unknown>,
): ScopesVersion {
  let watch: Watch | undefined;
  let seenCommits = -1;
  let version = 0;
  const look = ({ commits, current }: Watch): number => {
    try {
      const now = (commits.get() as unknown as [number])[0];
      if (now === seenCommits) return version;
      version = (current.get() as unknown as [number])[0];
      seenCommits = now;
    } catch (thrown) {
      // The last known number serves until the lock is gone; the next call looks again.
      if (!isContention(thrown)) throw thrown;
    }
    return version;
  };
  return {
    get() {
      if (watch) return look(watch);
      // A thread creates and migrates the file, so that this one never waits for a lock.
      return prepareDatabase().then(() => {
        watch ??= openWatch(dataDir);
        return look(watch);
      });
    },
    close() {
      watch?.connection.close();
      watch = undefined;
    },
  };
}

function openWatch(dataDir: string): Watch {
  const connection = connectReadOnly(dataDir, new Error("The database cannot be read."));
  const array = (sql: string) => {
    const statement = connection.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  };
  return {
    connection,
    commits: array("PRAGMA data_version"),
    current: array("SELECT scopes_version FROM state"),
  };
}

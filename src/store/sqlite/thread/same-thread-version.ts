// Reads the version of the rules on the caller's thread, because every call asks for it: the reading thread may be busy
// with a search. SQLite's data_version shows whether another connection has committed.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SQLITE_MIGRATIONS } from "../../schema.ts";
import { DATABASE_FILE } from "../connect.ts";
import { isContention, lostLog } from "../failures.ts";
import { shareAtOnce } from "../folder/lock.ts";
import { logFilesAt, rememberFile } from "../folder/open-file.ts";
import { refuseUnfinished } from "../folder/replace-database.ts";
import type { SharedByThreads } from "../folder/shared-by-threads.ts";
import { refuseNewer } from "../migrate.ts";
import { asArrays } from "../older-node.ts";

export interface SameThreadVersion {
  /** Undefined if this thread would have to wait or cannot read; the reading thread is used instead. */
  version(): number | undefined;
  /** The next call opens it again. */
  close(): void;
}

// Databases are rarely restored, and checking the file on every call of `version` would cost more than the call itself.
const CHECK_EVERY_MS = 1_000;

export function openSameThreadVersion(dataDir: string, shared: SharedByThreads): SameThreadVersion {
  const state: { watch?: ReturnType<typeof openAtOnce>; checkedAt: number } = { checkedAt: 0 };
  const close = () => {
    state.watch?.close();
    state.watch = undefined;
  };
  return {
    version() {
      if (performance.now() - state.checkedAt >= CHECK_EVERY_MS) {
        state.checkedAt = performance.now();
        // If the log was deleted, the reading thread opens the database again, with all connections of the store.
        if (state.watch?.isOutdated()) close();
      }
      state.watch ??= openAtOnce(dataDir, shared);
      try {
        return state.watch?.version();
      } catch (thrown) {
        // Another process holds a lock, so the version cannot be read right now.
        if (isContention(thrown)) return undefined;
        throw thrown;
      }
    },
    close,
  };
}

/** Undefined if the folder cannot be read without waiting; the reading thread then finds out why. */
function openAtOnce(dataDir: string, shared: SharedByThreads) {
  const opened: { close(): void }[] = [];
  const close = () => {
    for (const each of opened.splice(0).reverse()) each.close();
  };
  try {
    refuseNewer(dataDir);
    const lock = shareAtOnce(dataDir);
    if (!lock) return undefined;
    opened.push({ close: lock.release });
    refuseUnfinished(dataDir);
    const path = join(dataDir, DATABASE_FILE);
    if (shared.conflicts(logFilesAt(path))) throw lostLog();
    const connection = new DatabaseSync(path, { readOnly: true, timeout: 0 });
    opened.push(connection);
    const { user_version: version } = connection.prepare("PRAGMA user_version").get() ?? {};
    if (version === SQLITE_MIGRATIONS.length) return { ...openWatch(path, connection), close };
  } catch {
    // No file, no permission, a lock or damage: the reading thread reports each of them.
  }
  close();
  return undefined;
}

function openWatch(path: string, connection: DatabaseSync) {
  const file = rememberFile(path, { withLog: true });
  const numbers = (sql: string) => asArrays(connection.prepare(sql));
  const commits = numbers("PRAGMA data_version");
  const current = numbers("SELECT scopes_version FROM bases");
  const seen = { commits: -1, version: 0 };
  return {
    isOutdated: () => file.isReplaced() || file.log.isLost(),
    version(): number {
      const [now] = commits.get() as unknown as [number];
      if (now !== seen.commits) {
        [seen.version] = current.get() as unknown as [number];
        seen.commits = now;
      }
      return seen.version;
    },
  };
}

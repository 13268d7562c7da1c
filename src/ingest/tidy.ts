// Forgets old tasks and drops originals that nothing refers to any more.
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../observe/log.ts";
import type { Store } from "../store/store.ts";

export interface TidyOptions {
  readonly store: Store;
  readonly incomingDir: string;
  readonly log: Log;
}

const HOUR_MS = 3_600_000;
// A week: long enough to ask how yesterday's add went.
const KEEP_TASKS_MS = 7 * 24 * HOUR_MS;

export async function tidy({ store, incomingDir, log }: TidyOptions): Promise<void> {
  try {
    const tasks = await store.tasks.prune(new Date(Date.now() - KEEP_TASKS_MS).toISOString());
    const originals = await store.originals.sweep();
    const copies = await dropLeftCopies(incomingDir);
    if (tasks + originals + copies > 0) log.debug("ingest.tidied", { tasks, originals, copies });
  } catch (error) {
    log.warn("ingest.tidy-failed", { error });
  }
}

/** Copies of a process that died while it took a file in. */
async function dropLeftCopies(incomingDir: string): Promise<number> {
  let dropped = 0;
  for (const name of await readdir(incomingDir).catch(() => [])) {
    const path = join(incomingDir, name);
    const age = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
    if (age < HOUR_MS) continue;
    await rm(path, { force: true });
    dropped += 1;
  }
  return dropped;
}

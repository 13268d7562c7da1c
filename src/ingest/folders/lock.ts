// Allows one watcher per folder among the processes that share a data folder.
import { mkdir, open, readFile, rm, stat, utimes } from "node:fs/promises";
import { dirname } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fromSystem } from "../../domain/errors.ts";
import { isDead, nameWorker } from "../queue/worker-name.ts";

const BEAT_MS = 5_000;
// A holder on another machine cannot be checked, so it counts as dead after this time without a sign of life.
const STALE_MS = 60_000;

/** Waits for the lock; `onBusy` is called once when another process has it. */
export async function takeLock(
  path: string,
  signal: AbortSignal,
  onBusy: () => void,
): Promise<() => Promise<void>> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const name = nameWorker();
  let reported = false;
  while (!(await tryLock(path, name))) {
    if (await isAbandoned(path)) {
      await rm(path, { force: true });
      continue;
    }
    if (!reported) onBusy();
    reported = true;
    await wait(BEAT_MS / 2, undefined, { signal });
  }
  const beat = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => {});
  }, BEAT_MS).unref();
  return async () => {
    clearInterval(beat);
    await rm(path, { force: true });
  };
}

async function tryLock(path: string, name: string): Promise<boolean> {
  try {
    await using file = await open(path, "wx", 0o600);
    await file.writeFile(name).catch(async (cause: unknown) => {
      // The disk is full. An empty lock file would look like another process's lock.
      await rm(path, { force: true });
      throw cause;
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw fromSystem(error, "store");
  }
}

/** Whether a living process watches it. */
export async function isHeld(path: string): Promise<boolean> {
  const there = await stat(path).catch(() => undefined);
  return there !== undefined && !(await isAbandoned(path));
}

async function isAbandoned(path: string): Promise<boolean> {
  try {
    const [holder, { mtimeMs }] = await Promise.all([readFile(path, "utf8"), stat(path)]);
    return (holder !== "" && isDead(holder)) || Date.now() - mtimeMs > STALE_MS;
  } catch {
    return false;
  }
}

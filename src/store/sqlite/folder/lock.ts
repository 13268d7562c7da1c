// The lock of a data folder: shared by any number of processes, exclusive for maintenance.

import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { KnowledgeError } from "../../../domain/errors.ts";
import { toMessage } from "../../../domain/phrases/messages.ts";
import { refuseNewer } from "../migrate.ts";
import { createLockFile, type FileLock, tryLock } from "./file-lock.ts";
import { describeHolder, enterHolder, type Holder, liveHolders } from "./holders.ts";

const LOCK_FILE = "lock.db";

/** For the whole life of a process, which is named to those who are refused meanwhile. */
export function lockShared(dataDir: string, command: string): FileLock {
  refuseNewer(dataDir);
  return named(shareFolder(dataDir), dataDir, { command, alone: false });
}

/** Throws `STORE_IN_USE` while another process, or another part of this one, has the folder open. */
export function lockExclusive(dataDir: string, command: string): FileLock {
  const path = join(dataDir, LOCK_FILE);
  if (!createLockFile(path)) {
    throw new KnowledgeError(
      "STORE_UNAVAILABLE",
      "The data folder cannot be written to. Give this user write access to it, or choose another folder with --data-dir.",
    );
  }
  const lock = tryLock(path, "alone");
  if (!lock) throw inUse(dataDir);
  return named(lock, dataDir, { command, alone: true });
}

function named(lock: FileLock, dataDir: string, who: Pick<Holder, "command" | "alone">): FileLock {
  const leave = enterHolder(dataDir, who);
  return {
    release() {
      leave();
      lock.release();
    },
  };
}

/** A refused exclusive lock blocks new processes for a moment, so they retry this long. */
const LOCK_RETRY_MS = 2_000;
const STEP_MS = 20;

/**
 * Held while the database is open. A process that may not write to the folder reads it without a lock if there is
 * no lock file, or none that this user may open.
 */
export function shareFolder(dataDir: string): FileLock {
  const path = join(dataDir, LOCK_FILE);
  if (!createLockFile(path) || isClosedTo(dataDir, path)) return { release: () => {} };
  const deadline = performance.now() + LOCK_RETRY_MS;
  for (;;) {
    const lock = tryLock(path, "shared");
    if (lock) return lock;
    const alone = liveHolders(dataDir).find((holder) => holder.alone);
    if (alone || performance.now() > deadline) throw underMaintenance(alone);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STEP_MS);
  }
}

function isClosedTo(dataDir: string, path: string): boolean {
  return !isAllowed(path, constants.R_OK) && !isAllowed(dataDir, constants.W_OK);
}

function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

function inUse(dataDir: string): KnowledgeError {
  const others = liveHolders(dataDir).filter(({ pid }) => pid !== process.pid);
  const names = others.length === 0 ? "another process" : others.map(describeHolder).join(", ");
  const details = { pids: others.map(({ pid }) => pid) };
  return new KnowledgeError("STORE_IN_USE", toMessage("folderInUse", names), { details });
}

function underMaintenance(holder: Holder | undefined) {
  const who = holder ? describeHolder(holder) : "another process";
  return new KnowledgeError(
    "STORE_UNAVAILABLE",
    `The data folder is being restored or repaired by ${who}. Wait until it has finished, then start again.`,
    { details: holder ? { pid: holder.pid } : {} },
  );
}

// Allows one watcher per folder among the processes that share a data folder.
import { setTimeout as wait } from "node:timers/promises";

/**
 * Locks that the operating system keeps: one ends with its process, so that none is ever left behind, taken over or
 * released by another.
 */
export interface FileLocks {
  /** Undefined while another has it. */
  take(path: string): { release(): void } | undefined;
  isTaken(path: string): boolean;
}

interface Waiting {
  readonly locks: FileLocks;
  readonly signal: AbortSignal;
  /** Called once if another process has it. */
  readonly onBusy: () => void;
}

const RETRY_MS = 1_000;
/** A process that only looks whether the lock is taken has it for a moment. */
const FIRST_RETRY_MS = 50;

export async function takeLock(path: string, { locks, signal, onBusy }: Waiting) {
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted();
    const lock = locks.take(path);
    if (lock !== undefined) return lock;
    if (attempt === 1) onBusy();
    await wait(attempt === 0 ? FIRST_RETRY_MS : RETRY_MS, undefined, { signal });
  }
}

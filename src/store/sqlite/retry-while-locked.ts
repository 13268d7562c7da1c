// Retries while other processes that share the database hold a lock.
import { isContention } from "./failures.ts";

/**
 * SQLite's own waiting grows to steps of 100 ms, in which a busy writer takes the lock again and again. Shorter
 * steps find the moment between its transactions.
 */
const STEP_MS = 4;
/** A process may hold the write lock while it commits a very large document. */
const MAX_WAIT_MS = 120_000;

/** Retries while other processes hold a lock. Blocks, so only worker threads call it. */
export function retryWhileLocked<Result>(attempt: () => Result): Result {
  for (const until = performance.now() + MAX_WAIT_MS; ; block(STEP_MS * Math.random())) {
    try {
      return attempt();
    } catch (thrown) {
      if (!isWorthRetrying(thrown, until)) throw thrown;
    }
  }
}

/** The same for work that resolves at once. Blocks in between. */
export async function retryAsync<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (const until = performance.now() + MAX_WAIT_MS; ; block(STEP_MS * Math.random())) {
    try {
      return await attempt();
    } catch (thrown) {
      if (!isWorthRetrying(thrown, until)) throw thrown;
    }
  }
}

/** Whether waiting may still help. */
function isWorthRetrying(thrown: unknown, until: number): boolean {
  return isContention(thrown) && performance.now() <= until;
}

function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

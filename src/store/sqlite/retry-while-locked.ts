// Retries while other processes that share the database hold a lock.
import { isContention } from "./failures.ts";

/**
 * SQLite's own waiting grows to steps of 100 ms, in which a busy writer takes the lock again and again. Shorter
 * steps find the moment between its transactions.
 */
const STEP_MS = 4;
/** A process may hold the write lock while it commits a very large document. */
const MAX_WAIT_MS = 120_000;

/**
 * Blocks, so only worker threads call it. Reads can be locked too: the first connection after a crash recovers the log
 * exclusively.
 */
export function retryWhileLocked<Result>(attempt: () => Result): Result {
  for (const until = performance.now() + MAX_WAIT_MS; ; ) {
    try {
      return attempt();
    } catch (thrown) {
      if (!isContention(thrown) || performance.now() > until) throw thrown;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STEP_MS * Math.random());
  }
}

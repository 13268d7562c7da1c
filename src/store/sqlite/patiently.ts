// Waiting for other processes that share the database.
import { setTimeout as sleep } from "node:timers/promises";
import { isContention } from "./failures.ts";

/**
 * SQLite's own waiting grows to steps of 100 ms, in which a busy writer takes the lock again and again. Shorter
 * steps of our own find the moment between its transactions.
 */
const STEP_MS = 4;
/** A process may hold the write lock while it commits a very large document. */
const PATIENCE_MS = 120_000;

/** Retries while other processes hold a lock. Blocks, so only worker threads call it. */
export function patiently<Result>(attempt: () => Result): Result {
  for (const until = performance.now() + PATIENCE_MS; ; block(STEP_MS * Math.random())) {
    try {
      return attempt();
    } catch (thrown) {
      if (!mayPass(thrown, until)) throw thrown;
    }
  }
}

/** The same for a thread that has other work to do meanwhile. */
export async function patientlyAside<Result>(attempt: () => Result): Promise<Result> {
  for (const until = performance.now() + PATIENCE_MS; ; await sleep(STEP_MS)) {
    try {
      return attempt();
    } catch (thrown) {
      if (!mayPass(thrown, until)) throw thrown;
    }
  }
}

/** Whether waiting may still help. */
function mayPass(thrown: unknown, until: number): boolean {
  return isContention(thrown) && performance.now() <= until;
}

function block(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

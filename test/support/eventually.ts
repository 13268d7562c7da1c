import { setTimeout as sleep } from "node:timers/promises";

const FIRST_MS = 30;
// Longer ones would miss what lasts for a moment alone.
const MAX_MS = 200;

/**
 * Retries `check` until it no longer throws. The limit is generous, because a loaded machine is slow, not wrong. What has
 * not happened for a second is not asked for as often: a check may be a call of a server, which takes its time too.
 */
export async function eventually<Result>(
  check: () => Result | Promise<Result>,
  withinMs = 120_000,
): Promise<Awaited<Result>> {
  const begun = performance.now();
  for (;;) {
    try {
      return await check();
    } catch (error) {
      const waited = performance.now() - begun;
      if (waited > withinMs) throw error;
      await sleep(Math.min(Math.max(waited / 10, FIRST_MS), MAX_MS));
    }
  }
}

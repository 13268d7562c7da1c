// Runs histories on one store until the time is up.
import { openRandom } from "../fuzz/random.ts";
import { judgeStretch, type Known } from "./judge.ts";
import type { Place } from "./members.ts";
import { openSession } from "./session.ts";

export interface Figures {
  readonly histories: number;
  readonly operations: number;
  /** Without a response, because their server was killed. */
  readonly unknown: number;
  readonly kills: number;
  readonly pauses: number;
  readonly undecided: number;
  readonly violations: readonly string[];
}

export interface HistoryOptions {
  readonly place: Place;
  readonly seed: number;
  readonly seconds: number;
  readonly operations: number;
  readonly pauseMs: number;
}

// Rules are read from memory. On PostgreSQL another server's change arrives as a notification, which a paused process
// reads when it runs again.
const STALE_MS = { sqlite: 0, postgres: 3_000 };

export async function runHistories(options: HistoryOptions): Promise<Figures> {
  const { place, seed, seconds, pauseMs } = options;
  const session = await openSession({ ...options, random: openRandom(seed) });
  const staleMs = place.kind === "postgres" ? STALE_MS.postgres + pauseMs : STALE_MS.sqlite;
  const sum = { histories: 0, operations: 0, unknown: 0, kills: 0, pauses: 0, undecided: 0 };
  const violations: string[] = [];
  let before: Known = { documents: {}, rules: {} };
  const until = performance.now() + seconds * 1_000;
  try {
    do {
      const stretch = await session.stretch();
      const judged = judgeStretch(stretch, { before, staleMs });
      before = judged.after;
      violations.push(...judged.violations);
      sum.histories += 1;
      sum.operations += stretch.asked.length;
      sum.unknown += stretch.asked.filter(({ reply }) => reply.kind === "dead").length;
      sum.kills += stretch.kills;
      sum.pauses += stretch.pauses;
      sum.undecided += judged.undecided;
      // On a slow machine there are few histories, and none of them has to have been disturbed.
    } while (performance.now() < until || sum.kills === 0 || sum.pauses === 0);
  } finally {
    await session.close();
  }
  return { ...sum, violations };
}

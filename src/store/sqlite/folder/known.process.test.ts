import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import {
  KNOWN_ID,
  KNOWN_PAIR,
  type KnownThread,
  RACING,
} from "../../../../test/support/children/known-thread.ts";
import { openKnownId } from "./known-id.ts";
import { openKnownLog } from "./known-log.ts";

const THREAD = new URL("../../../../test/support/children/known-thread.ts", import.meta.url);
const TERMINATED = 8;
/** How many ids a thread records before it is terminated. */
const IDS = 1_000;
/** Long enough for a check that takes milliseconds, in a thread that starts late on a loaded machine. */
const STUCK_MS = 30_000;

const startThread = (workerData: KnownThread) => new Worker(THREAD, { workerData });

/** In a separate thread, because a check that never returns could not be stopped otherwise. */
async function check(workerData: Omit<KnownThread, "work">): Promise<unknown> {
  const thread = startThread({ work: workerData.race ? "claim" : "check", ...workerData });
  try {
    const [found] = await once(thread, "message", { signal: AbortSignal.timeout(STUCK_MS) });
    return found;
  } finally {
    await thread.terminate();
  }
}

const emptyIds = (count: number) => Array.from({ length: count }, () => openKnownId().buffer);

test("a thread that is terminated while it notes what it has open holds up no other", async () => {
  const log = openKnownLog().buffer;
  for (let round = 0; round < TERMINATED; round += 1) {
    const ids = emptyIds(IDS);
    const thread = startThread({ work: "note", ids, log });
    await once(thread, "message");
    await thread.terminate();
    expect(await check({ ids, log })).toEqual({ matching: IDS, conflicts: false });
  }
}, 120_000);

test("threads that note an id at once agree on it", async () => {
  const ids = emptyIds(IDS);
  const log = openKnownLog().buffer;
  const found = await Promise.all([check({ ids, log }), check({ ids, log })]);
  expect(found).toEqual(found.map(() => ({ matching: IDS, conflicts: false })));
  const known = openKnownId(ids[0]);
  expect(known.isSet()).toBe(true);
  expect(known.matches(KNOWN_ID.replace("1", "2"))).toBe(false);
});

test("of threads that open different logs at once, one succeeds", async () => {
  const logs = Array.from({ length: IDS }, () => openKnownLog().buffer);
  const ready = new SharedArrayBuffer(4 * IDS);
  const claims = Array.from({ length: RACING }, (_, at) =>
    check({ ids: [], log: openKnownLog().buffer, race: { logs, ready, name: `64769:${at}` } }),
  );
  const [first, second] = (await Promise.all(claims)) as [boolean[], boolean[]];
  expect(second).toEqual(first.map((isOwn) => !isOwn));
});

test("another log of the same database conflicts, until it is forgotten", () => {
  const known = openKnownLog();
  const { database, log } = KNOWN_PAIR;
  const others = Array.from({ length: 2_000 }, (_, at) => `64769:${at + 1_000}`);
  expect(known.conflicts(KNOWN_PAIR)).toBe(false);
  expect(known.claim(KNOWN_PAIR)).toBe(true);
  expect(known.conflicts(KNOWN_PAIR)).toBe(false);
  for (const other of [undefined, ...others]) {
    expect(known.conflicts({ database, log: other })).toBe(true);
    expect(known.claim({ database, log: other })).toBe(false);
  }
  expect(known.conflicts({ database: "64769:7", log })).toBe(false);
  known.forget();
  expect(known.claim({ database, log: undefined })).toBe(true);
  expect(known.conflicts(KNOWN_PAIR)).toBe(true);
  known.forget();
  expect(known.conflicts({ database, log: others[0] })).toBe(false);
});

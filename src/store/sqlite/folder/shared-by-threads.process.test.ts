import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import {
  BASE_ID,
  LOG_FILES,
  RACING,
  type SharingThread,
} from "../../../../test/support/children/sharing-thread.ts";
import { openSharedByThreads } from "./shared-by-threads.ts";

const THREAD = new URL("../../../../test/support/children/sharing-thread.ts", import.meta.url);
const TERMINATED = 8;
/** How many ids a thread records before it is terminated. */
const IDS = 1_000;
/** Long enough for a check that takes milliseconds, in a thread that starts late on a loaded machine. */
const STUCK_MS = 30_000;

const startThread = (workerData: SharingThread) => new Worker(THREAD, { workerData });

/** In a separate thread, because a check that never returns could not be stopped otherwise. */
async function check(workerData: Omit<SharingThread, "work">): Promise<unknown> {
  const thread = startThread({ work: workerData.race ? "claim" : "check", ...workerData });
  try {
    const [found] = await once(thread, "message", { signal: AbortSignal.timeout(STUCK_MS) });
    return found;
  } finally {
    await thread.terminate();
  }
}

const emptyIds = (count: number) =>
  Array.from({ length: count }, () => openSharedByThreads().buffer);

test("a thread that is terminated while it notes what it has open holds up no other", async () => {
  const log = openSharedByThreads().buffer;
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
  const log = openSharedByThreads().buffer;
  const found = await Promise.all([check({ ids, log }), check({ ids, log })]);
  expect(found).toEqual(found.map(() => ({ matching: IDS, conflicts: false })));
  const shared = openSharedByThreads(ids[0]);
  expect(shared.hasId()).toBe(true);
  expect(shared.matchesId(BASE_ID.replace("1", "2"))).toBe(false);
});

test("of threads that open different logs at once, one succeeds", async () => {
  const logs = Array.from({ length: IDS }, () => openSharedByThreads().buffer);
  const ready = new SharedArrayBuffer(4 * IDS);
  const claims = Array.from({ length: RACING }, (_, at) =>
    check({
      ids: [],
      log: openSharedByThreads().buffer,
      race: { logs, ready, name: `64769:${at}` },
    }),
  );
  const [first, second] = (await Promise.all(claims)) as [boolean[], boolean[]];
  expect(second).toEqual(first.map((isOwn) => !isOwn));
});

test("another log of the same database conflicts, until it is forgotten", () => {
  const shared = openSharedByThreads();
  const { database, log, index } = LOG_FILES;
  const others = Array.from({ length: 2_000 }, (_, at) => `64769:${at + 1_000}`);
  expect(shared.conflicts(LOG_FILES)).toBe(false);
  expect(shared.claimLog(LOG_FILES)).toBe(true);
  expect(shared.conflicts(LOG_FILES)).toBe(false);
  for (const other of [undefined, ...others]) {
    expect(shared.conflicts({ database, log: other, index })).toBe(true);
    expect(shared.claimLog({ database, log: other, index })).toBe(false);
  }
  expect(shared.conflicts({ database: "64769:7", log, index })).toBe(false);
  shared.forgetLog();
  expect(shared.claimLog({ database, log: undefined, index })).toBe(true);
  expect(shared.conflicts(LOG_FILES)).toBe(true);
  shared.forgetLog();
  expect(shared.conflicts({ database, log: others[0], index })).toBe(false);
});

// Short forms of `npm run fuzz`, `npm run fuzz:tools` and `npm run soak`.
import { describe, expect, test } from "vitest";
import { fuzzTransport, TRANSPORTS } from "../../stress/fuzz/fuzz.ts";
import { soak } from "../../stress/fuzz/soak.ts";
import { fuzzToolsOn, STORES } from "../../stress/fuzz/tools.ts";
import { SEED } from "../support/seed.ts";

// The count ends them. The seconds only keep a machine at its limits below the time limit of a test.
const MAX_SECONDS = 60;

describe(`seed ${SEED}`, () => {
  test.each(TRANSPORTS)("over %s every request that expects a response gets one", async (name) => {
    const report = await fuzzTransport(name, {
      count: 800,
      seconds: MAX_SECONDS,
      seed: SEED,
    });
    expect(report.unanswered).toEqual([]);
    expect(report.answered).toBeGreaterThan(0);
  });

  test.for(STORES)("on %s every tool returns the contract's shapes", async (store, { skip }) => {
    const report = await fuzzToolsOn(store, {
      count: 300,
      seconds: MAX_SECONDS,
      seed: SEED,
    });
    if (!report) return skip(`there is no ${store} on this machine`);
    expect(report.faults).toEqual([]);
    expect(Object.keys(report.done).length).toBeGreaterThan(5);
  });
});

test("under load nothing fails or is lost; under overload refusals include the time to retry", async () => {
  const report = await soak({ clients: 16, seconds: 4, servers: 1, seed: SEED, pauseMs: 200 });
  expect(report.held.errors).toEqual([]);
  expect(report.held.added).toBeGreaterThan(0);
  expect(report.overload).toMatchObject({ refusedWithoutTime: 0, failed: [] });
  expect(report.overload.refused).toBeGreaterThan(0);
  expect(report.lost).toBe(0);
});

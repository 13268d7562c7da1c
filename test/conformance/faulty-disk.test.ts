// The program that ships, on a disk that fails or loses its power: afterwards everything acknowledged is there, nothing
// is half done, and work continues. A sample of what `npm run faults` tries.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { buildFaultyDisk } from "../../scripts/faulty-disk.ts";
import { type Bench, openBench } from "../../stress/faults/bench.ts";
import { casesOf, describeCase, tryCase } from "../../stress/faults/cases.ts";
import { OPERATIONS } from "../../stress/faults/operations.ts";
import { cutPower } from "../../stress/faults/power-cuts.ts";
import { changesOf, type Recording, record } from "../../stress/faults/recording.ts";
import { SEED } from "../support/seed.ts";

const library = buildFaultyDisk();
// Prime, so that the sample meets every kind of fault and call.
const EACH = 2_003;
const CUT_EVERY = 503;
// A loaded machine is slow, not wrong.
const TIMEOUT_MS = 400_000;

describe.skipIf(library === undefined)("on a faulty disk", () => {
  let bench: Bench;
  let recording: Recording;
  beforeAll(async () => {
    bench = await openBench(library ?? "");
    recording = await record(bench);
  }, TIMEOUT_MS);
  afterAll(() => bench?.close());

  test("a fault at any call loses nothing that was acknowledged", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const all = OPERATIONS.flatMap((operation) =>
      casesOf(operation, changesOf(recording, operation)),
    );
    const sample = all.filter((_, at) => at % EACH === SEED % EACH);
    const wrong: string[] = [];
    let fired = 0;
    for (const each of sample) {
      const verdict = await tryCase(bench, each);
      if (verdict.fired) fired += 1;
      for (const problem of verdict.problems) wrong.push(`${describeCase(each)}: ${problem}`);
    }
    expect(wrong).toEqual([]);
    expect(fired).toBeGreaterThan(sample.length / 2);
  });

  test("a power cut at any call loses nothing that was acknowledged", {
    timeout: TIMEOUT_MS,
  }, async () => {
    const wrong: string[] = [];
    let cuts = 0;
    for await (const { call, cut, problems } of cutPower(bench, recording, {
      every: CUT_EVERY,
      seed: SEED,
    })) {
      cuts += 1;
      for (const problem of problems) wrong.push(`${call} ${JSON.stringify(cut)}: ${problem}`);
    }
    expect(wrong).toEqual([]);
    expect(cuts).toBeGreaterThan(20);
  });
});

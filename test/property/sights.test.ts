// Callers who may see different scopes: each gets what it would get from a knowledge base that holds nothing else.
// Longer: npm run sights.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { HOLES, plantHole } from "../../stress/sights/holes.ts";
import { runSights } from "../../stress/sights/run-sights.ts";
import { SEED } from "../support/seed.ts";
import { type TempDatabase, tempBase, tempDatabase } from "../support/temp-postgres.ts";
import { openStoreHere, tempStore } from "../support/temp-store.ts";

const openHere = () => tempStore((dataDir) => openStoreHere(dataDir));

test("every way to the data returns what it would return without the rest", async () => {
  const { calls, differences } = await runSights({ open: openHere, seed: SEED, calls: 1_500 });
  expect(differences).toEqual([]);
  expect(calls).toBeGreaterThanOrEqual(1_500);
});

test.each(HOLES)("a hole in $room, $way, is found", async (hole) => {
  const plant = plantHole(hole);
  // The first one ends the run.
  const { differences } = await runSights({ open: openHere, seed: 1, calls: 20_000, plant });
  expect(differences).not.toEqual([]);
});

describe("on PostgreSQL", () => {
  let database: TempDatabase | undefined;
  beforeAll(async () => {
    database = await tempDatabase();
  });
  afterAll(() => database?.drop());

  test("every way to the data returns what it would return without the rest", async (context) => {
    if (!database) return context.skip();
    const open = () => tempBase(database);
    expect((await runSights({ open, seed: SEED, calls: 300 })).differences).toEqual([]);
  });
});

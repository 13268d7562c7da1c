// Callers who may see different scopes: each gets what it would get from a knowledge base that holds nothing else.
// Longer: npm run sights.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openBase } from "../../stress/sights/base.ts";
import { HOLES, plantHole } from "../../stress/sights/holes.ts";
import { runSights } from "../../stress/sights/run-sights.ts";
import { callContext } from "../support/call-context.ts";
import { SEED } from "../support/seed.ts";
import { type TempDatabase, tempBase, tempDatabase } from "../support/temp-postgres.ts";
import { openStoreHere, tempStore } from "../support/temp-store.ts";

const openHere = () => tempStore((dataDir) => openStoreHere(dataDir));

test("every way to the data returns what it would return without the rest", async () => {
  const { calls, differences } = await runSights({ open: openHere, seed: SEED, calls: 800 });
  expect(differences).toEqual([]);
  expect(calls).toBeGreaterThanOrEqual(800);
});

test.each(HOLES)("a hole in $room, $way, is found", async (hole) => {
  const plant = plantHole(hole);
  // The first one ends the run; with this seed, each is found soon.
  const { differences } = await runSights({ open: openHere, seed: 4, calls: 20_000, plant });
  expect(differences).not.toEqual([]);
});

test.each([true, false])(
  "who may write in a scope but not read there learns nothing about what is in it (async %s)",
  async (isAsync) => {
    const base = await openBase(await openHere());
    const scope = { id: "inbox", tier: "PROJECT" } as const;
    await base.store.scopes.apply([{ kind: "put-scope", scope }]);
    const [known, other] = ["The heron waits by the river.", "The crane sleeps near the lake."];
    const placed = { filename: "a.txt", scope: scope.id };
    await base.own("knowledge-add-text", { ...placed, text: known, async: false });
    const grants = [{ right: "write", scope: scope.id, isDeep: false }] as const;
    const principal = { name: "ann", rights: new Set(["write"] as const), grants };
    const add = async (text: string) => {
      const tool = base.toolbox.tool("knowledge-add-text");
      if (!tool) throw new Error("no tool");
      const args = { ...placed, filename: "b.txt", text, async: isAsync };
      const { structured } = await base.toolbox.run(tool, args, callContext({ principal }));
      return { ...(structured as object), task_id: undefined };
    };
    // Each waits for those before it, so the second takes no less.
    const fresh = await add(other);
    expect(await add(known)).toEqual({
      ...fresh,
      estimated_time_seconds: expect.toSatisfy(
        (seconds: number) => seconds >= Number(Object(fresh).estimated_time_seconds),
      ),
    });
    expect(fresh).toMatchObject({ success: true });
    await base.close();
  },
);

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

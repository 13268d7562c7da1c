import { beforeEach, describe, expect, test } from "vitest";
import { openMemoryScopes } from "../../../test/support/memory-scopes.ts";
import { silentLog } from "../../../test/support/silent-log.ts";
import { openScopes, type Scopes } from "../scopes.ts";

const log = silentLog();
const atOnce = async () => {};
const rule = (content: string) => ({
  scope: "general",
  category: "git",
  keyword: "commit",
  content,
});

let store: ReturnType<typeof openMemoryScopes>;
let author: Scopes;
let scopes: Scopes;

beforeEach(async () => {
  store = openMemoryScopes();
  author = openScopes({ store, log });
  scopes = openScopes({ store, log });
  await author.putScope({ id: "general", tier: "GENERAL" });
  await author.putScope({ id: "shop", tier: "PRODUCT", parent: "general" });
  await author.putScope({ id: "checkout-api", tier: "PROJECT", parent: "shop" });
  await author.putEntry(rule("Old."));
});

async function commitRule(id = "checkout-api"): Promise<string | undefined> {
  return (await scopes.get(id)).knowledge(["commit"]).entries[0]?.content;
}

test("a scope that was read ahead is resolved without a promise and without the store", async () => {
  await scopes.readAhead(atOnce);
  // Scopes that have others below them are already resolved.
  expect(scopes.memory()).toMatchObject({ scopes: 2, packed: 1 });
  const reads = store.reads();
  expect(scopes.get("checkout-api")).not.toBeInstanceOf(Promise);
  expect(await commitRule()).toBe("Old.");
  expect(store.reads()).toBe(reads);
  expect(scopes.memory()).toMatchObject({ scopes: 3, packed: 0 });
});

describe("a change by another process", () => {
  test("shows at once after everything was read ahead", async () => {
    await scopes.readAhead(atOnce);
    await author.putEntry(rule("New."));
    expect(await commitRule()).toBe("New.");
  });

  test("between two pages restarts the reading", async () => {
    let pauses = 0;
    await scopes.readAhead(async () => {
      pauses++;
      if (pauses === 2) await author.putEntry(rule("New."));
    });
    expect(scopes.memory()).toMatchObject({ scopes: 2, packed: 1 });
    expect(await commitRule()).toBe("New.");
  });

  // The page is read before the change, but arrives after it and after another reader has seen the new version.
  test.each([1, 2, 3])("while page %i is being read brings back nothing old", async (late) => {
    let pages = 0;
    const slow = {
      ...store,
      packed: async (from: number) => {
        const page = await store.packed(from);
        if (++pages === late) {
          await author.putEntry(rule("New."));
          expect(await commitRule("shop")).toBe("New.");
        }
        return page;
      },
    };
    scopes = openScopes({ store: slow, log });
    await scopes.readAhead(atOnce);
    for (const id of ["general", "shop", "checkout-api"]) expect(await commitRule(id)).toBe("New.");
  });

  test("with every page ends the reading after a few restarts", async () => {
    let pauses = 0;
    await scopes.readAhead(async () => {
      await author.putEntry(rule(`Number ${pauses++}.`));
    });
    expect(pauses).toBeLessThan(10);
    expect(await commitRule()).toBe(`Number ${pauses - 1}.`);
  });
});

test("what is in use stays, and the reading ends when there is no more room", async () => {
  scopes = openScopes({ store, log, cacheBytes: 3_500 });
  await scopes.get("general");
  const { bytes } = scopes.memory();
  await scopes.readAhead(atOnce);
  expect(scopes.memory()).toMatchObject({ scopes: 1, packed: 1 });
  expect(scopes.memory().bytes).toBeGreaterThan(bytes);
  expect(scopes.memory().bytes).toBeLessThanOrEqual(3_500);
  expect(scopes.get("general")).not.toBeInstanceOf(Promise);
  // A requested scope takes the place of one that was never requested.
  await author.putEntry(rule("New."));
  expect(await commitRule()).toBe("New.");
});

test("pages of two versions in which scopes inherit from each other are read from the store", async () => {
  const ring = {
    ...store,
    packed: async (from: number) => {
      const page = await store.packed(from);
      return {
        ...page,
        scopes: page.scopes.map((scope) => ({ ...scope, parent: "checkout-api" })),
      };
    },
  };
  scopes = openScopes({ store: ring, log });
  await scopes.readAhead(atOnce);
  expect(await commitRule()).toBe("Old.");
});

test("no scope is resolved ahead where another would have to go for it", async () => {
  scopes = openScopes({ store, log, cacheBytes: 100_000 });
  await scopes.readAhead(atOnce);
  expect(scopes.memory()).toMatchObject({ scopes: 0, packed: 3 });
});

test("closing ends it", async () => {
  let pauses = 0;
  await scopes.readAhead(async () => {
    pauses++;
    scopes.close();
  });
  expect(pauses).toBe(1);
  expect(scopes.memory().packed).toBe(0);
});

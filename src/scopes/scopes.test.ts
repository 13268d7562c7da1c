import { beforeEach, describe, expect, test } from "vitest";
import { openMemoryScopes } from "../../test/support/memory-scopes.ts";
import { silentLog } from "../../test/support/silent-log.ts";
import type { KnowledgeError } from "../domain/errors.ts";
import type { ScopeStore } from "../store/store.ts";
import { openScopes, type Scopes } from "./scopes.ts";

const log = silentLog();

let store: ScopeStore & { readonly reads: () => number };
let scopes: Scopes;

beforeEach(async () => {
  store = openMemoryScopes();
  scopes = openScopes({ store, log, pollMs: 5 });
  await scopes.putScope({ id: "general", tier: "GENERAL" });
  await scopes.putScope({ id: "shop", tier: "PRODUCT", parent: "general" });
  await scopes.putScope({ id: "checkout-api", tier: "PROJECT", parent: "shop" });
  await scopes.putEntry({
    scope: "general",
    category: "git",
    keyword: "commit",
    content: "Short subject.",
    categoryDescription: "Base git practices",
  });
});

async function thrownBy(run: () => unknown): Promise<KnowledgeError> {
  try {
    await run();
  } catch (error) {
    return error as KnowledgeError;
  }
  throw new Error("nothing was thrown");
}

describe("reading", () => {
  test("a scope in memory is returned without reading it again", async () => {
    await scopes.get("checkout-api");
    const reads = store.reads();
    await scopes.get("checkout-api");
    expect(store.reads()).toBe(reads);
  });

  test("a change that another process makes is seen by the next read", async () => {
    await scopes.get("checkout-api");
    const other = openScopes({ store, log });
    await other.putEntry({ scope: "shop", category: "git", keyword: "commit", content: "Ticket." });
    const { entries } = (await scopes.get("checkout-api")).knowledge(["commit"]);
    expect(entries.map(({ content, scope }) => [content, scope.tier])).toEqual([
      ["Ticket.", "PRODUCT"],
    ]);
  });

  test("a scope that many ask for at once is read once", async () => {
    const reads = store.reads();
    const all = await Promise.all(Array.from({ length: 20 }, () => scopes.get("checkout-api")));
    expect(new Set(all).size).toBe(1);
    expect(store.reads()).toBe(reads + 1);
  });

  test("an unknown id is reported with the nearest ones", async () => {
    for (const [asked, meant] of [
      ["checkout", "checkout-api"],
      ["Checkout-API", "checkout-api"],
      ["chekout-api", "checkout-api"],
      ["checkout_api", "checkout-api"],
    ] as const) {
      const error = await thrownBy(() => scopes.get(asked));
      expect(error.code).toBe("SCOPE_NOT_FOUND");
      expect(error.message).toContain(`"${asked}"`);
      expect(error.details["suggestions"]).toContain(meant);
    }
    const far = await thrownBy(() => scopes.get("zzzzzzzzzz"));
    expect(far.details["suggestions"]).toEqual([]);
    expect(far.message).toContain('There are "general", "shop", "checkout-api".');
  });

  test("ids are compared in NFC", async () => {
    await scopes.putScope({ id: "café", tier: "PROJECT" });
    expect((await scopes.get("cafe\u0301")).scope.id).toBe("café");
  });

  test("ids complete by their beginning first, then by what they contain", async () => {
    await scopes.putScope({ id: "api-gateway", tier: "PROJECT" });
    expect(await scopes.complete("api")).toEqual(["api-gateway", "checkout-api"]);
  });

  test("the scopes in memory are those requested last", async () => {
    const ids = Array.from({ length: 40 }, (_, at) => `one-${at}`);
    for (const id of ids) await scopes.putScope({ id, tier: "PROJECT" });
    for (const id of ids) await scopes.get(id);
    const before = store.reads();
    for (const id of ids.slice(-30)) await scopes.get(id);
    expect(store.reads()).toBe(before);
    await scopes.get("one-0");
    expect(store.reads()).toBe(before + 1);
  });

  test("listeners learn of this and of another process's changes", async () => {
    const heard: number[] = [];
    const stop = scopes.onChange(() => heard.push(1));
    await expect.poll(() => store.version()).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await store.apply([{ kind: "put-category", scope: "shop", name: "api", description: "" }]);
    await expect.poll(() => heard.length).toBe(1);
    await scopes.putScope({ id: "other", tier: "PROJECT" });
    expect(heard).toHaveLength(2);
    stop();
    await scopes.putScope({ id: "another", tier: "PROJECT" });
    expect(heard).toHaveLength(2);
  });
});

describe("writing", () => {
  test("a new scope needs a tier; a known one keeps what is left out", async () => {
    const error = await thrownBy(() => scopes.putScope({ id: "new" }));
    expect(error.code).toBe("MISSING_REQUIRED_PARAMETER");
    await scopes.putScope({ id: "shop", description: "The web shop" });
    const [shop] = (await scopes.list()).filter(({ id }) => id === "shop");
    expect(shop).toMatchObject({ tier: "PRODUCT", parent: "general", description: "The web shop" });
    await scopes.putScope({ id: "shop", parent: null });
    expect((await scopes.get("shop")).chain).toHaveLength(1);
  });

  test("a missing parent is reported with the nearest ids", async () => {
    const error = await thrownBy(() =>
      scopes.putScope({ id: "x", tier: "PROJECT", parent: "sho" }),
    );
    expect([error.code, error.details["suggestions"]]).toEqual(["SCOPE_NOT_FOUND", ["shop"]]);
  });

  test("the same write again changes nothing", async () => {
    const before = store.version();
    const entry = {
      scope: "general",
      category: "git",
      keyword: "commit",
      content: "Short subject.",
    };
    expect((await scopes.putEntry(entry)).outcome).toBe("unchanged");
    expect((await scopes.putScope({ id: "shop", tier: "PRODUCT" })).outcome).toBe("unchanged");
    expect(store.version()).toBe(before);
  });

  test("an entry says which inherited one it hides", async () => {
    const entry = { scope: "checkout-api", category: "git", keyword: "commit", content: "Ticket." };
    const { outcome, overrides } = await scopes.putEntry(entry);
    expect([outcome, overrides?.scope.id]).toEqual(["created", "general"]);
  });

  test("an inherited entry is removed only in the scope that states it", async () => {
    const ref = { scope: "checkout-api", category: "git", keyword: "commit" };
    const error = await thrownBy(() => scopes.removeEntry(ref));
    expect(error.code).toBe("ENTRY_NOT_FOUND");
    expect(error.message).toContain('from "general"');
  });

  test("an entry keeps the description that another process has just given its category", async () => {
    const description = "How services talk";
    const late: ScopeStore = {
      ...store,
      async apply(changes) {
        await store.apply([{ kind: "put-category", scope: "shop", name: "api", description }]);
        return store.apply(changes);
      },
    };
    const entry = { scope: "shop", category: "api", keyword: "auth", content: "OAuth." };
    expect((await openScopes({ store: late, log }).putEntry(entry)).outcome).toBe("created");
    expect((await scopes.get("shop")).own("api")?.description).toBe(description);
  });

  test("a category without a description is removed with its last entry", async () => {
    const entry = { scope: "shop", category: "api", keyword: "auth" };
    await scopes.putEntry({ ...entry, content: "OAuth." });
    await scopes.removeEntry(entry);
    expect((await scopes.get("shop")).categories().map(({ name }) => name)).toEqual(["git"]);
    await scopes.removeEntry({ scope: "general", category: "git", keyword: "commit" });
    expect((await scopes.get("shop")).categories().map(({ name }) => name)).toEqual(["git"]);
  });

  test("a scope with children is not removed", async () => {
    const error = await thrownBy(() => scopes.removeScope("shop"));
    expect(error.code).toBe("SCOPE_HAS_CHILDREN");
    expect(error.details["children"]).toEqual(["checkout-api"]);
    await scopes.removeScope("checkout-api");
    expect((await thrownBy(() => scopes.get("checkout-api"))).code).toBe("SCOPE_NOT_FOUND");
  });

  test.each([
    [{ category: "a/b" }, "category"],
    [{ category: " " }, "category"],
    [{ keyword: "two\nlines" }, "keyword"],
    [{ keyword: "k".repeat(201) }, "keyword"],
    [{ content: "x".repeat(65_537) }, "content"],
    [{ content: " \n" }, "content"],
  ])("%j is refused by name", async (part, parameter) => {
    const entry = { scope: "shop", category: "git", keyword: "push", content: "x", ...part };
    const error = await thrownBy(() => scopes.putEntry(entry));
    expect([error.code, error.details["parameter"]]).toEqual(["INVALID_PARAMETER", parameter]);
  });
});

test("the page shows resolved rules under the headings of their categories", async () => {
  await scopes.putEntry({
    scope: "checkout-api",
    category: "git",
    keyword: "push",
    content: "# Never to main\n\n```sh\n# a comment\n```",
  });
  expect(await scopes.page("checkout-api")).toBe(
    [
      "# Rules of checkout-api",
      "",
      "Resolved from checkout-api (PROJECT) → shop (PRODUCT) → general (GENERAL); the first one wins.",
      "",
      "## git",
      "",
      "Base git practices",
      "",
      "### commit",
      "",
      "Short subject.",
      "",
      "*From general.*",
      "",
      "### push",
      "",
      "#### Never to main",
      "",
      "```sh",
      "# a comment",
      "```",
      "",
    ].join("\n"),
  );
});

test("the check finds what an author should look at", async () => {
  await store.apply([
    { kind: "put-scope", scope: { id: "lonely", tier: "PROJECT" } },
    { kind: "put-category", scope: "shop", name: "api", description: "" },
    { kind: "put-entry", scope: "shop", category: "git", keyword: "commit", content: "Mine." },
    {
      kind: "put-entry",
      scope: "checkout-api",
      category: "git",
      keyword: "commit",
      content: "Mine.",
    },
    {
      kind: "put-entry",
      scope: "shop",
      category: "git",
      keyword: "long",
      content: "x".repeat(9_000),
    },
    { kind: "put-entry", scope: "shop", category: "ci", keyword: "commit", content: "Other." },
  ]);
  const found = (await scopes.check()).map(({ kind, scope }) => `${kind} ${scope}`);
  expect(found.sort()).toEqual([
    "empty-category shop",
    "empty-description shop",
    "empty-description shop",
    "empty-scope lonely",
    "in-two-categories shop",
    "orphan lonely",
    "over-long shop",
    "repeated checkout-api",
    "shadowed shop",
  ]);
});

test("a category without a description is a note, not a warning", async () => {
  await store.apply([
    { kind: "put-category", scope: "shop", name: "ci", description: "" },
    { kind: "put-entry", scope: "shop", category: "ci", keyword: "cache", content: "Keep it." },
  ]);
  const found = (await scopes.check()).filter(({ category }) => category === "ci");
  expect(found).toMatchObject([{ kind: "empty-description", level: "info", scope: "shop" }]);
});

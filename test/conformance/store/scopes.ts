import { describe, expect, test } from "vitest";
import type { Scope } from "../../../src/domain/scope.ts";
import type { ScopeChange } from "../../../src/store/store.ts";
import type { Subject } from "../store.suite.ts";

const GENERAL: Scope = { id: "general", tier: "GENERAL", description: "For all" };
const PRODUCT: Scope = { id: "webapp", tier: "PRODUCT", parent: "general" };
const PROJECT: Scope = { id: "checkout-api", tier: "PROJECT", parent: "webapp" };

const put = (scope: Scope): ScopeChange => ({ kind: "put-scope", scope });
const category = (scope: string, name: string, description: string): ScopeChange => ({
  kind: "put-category",
  scope,
  name,
  description,
});
const entry = (scope: string, name: string, keyword: string, content: string): ScopeChange => ({
  kind: "put-entry",
  scope,
  category: name,
  keyword,
  content,
});
const TREE = [put(GENERAL), put(PRODUCT), put(PROJECT)];

export function scopeCases(subject: Subject): void {
  const ids = async () => (await subject.store.scopes.list()).map((scope) => scope.id).sort();

  describe("scopes", () => {
    test("an unknown scope has no chain", async () => {
      expect(await subject.store.scopes.chain("nobody")).toEqual([]);
      expect(await subject.store.scopes.list()).toEqual([]);
      expect(await subject.store.scopes.all()).toEqual([]);
    });

    test("a chain goes from the scope to its most general ancestor", async () => {
      const { scopes } = subject.store;
      await scopes.apply([
        ...TREE,
        category("general", "code", "How we write"),
        entry("general", "code", "naming", "Short names."),
        entry("checkout-api", "code", "naming", "Long names."),
        entry("checkout-api", "ops", "deploy", "デプロイは金曜以外"),
      ]);
      expect(await scopes.chain("checkout-api")).toEqual([
        {
          ...PROJECT,
          categories: [
            { name: "code", description: "" },
            { name: "ops", description: "" },
          ],
          entries: [
            { category: "code", keyword: "naming", content: "Long names." },
            { category: "ops", keyword: "deploy", content: "デプロイは金曜以外" },
          ],
        },
        { ...PRODUCT, categories: [], entries: [] },
        {
          ...GENERAL,
          categories: [{ name: "code", description: "How we write" }],
          entries: [{ category: "code", keyword: "naming", content: "Short names." }],
        },
      ]);
    });

    test("the list counts each scope's own categories and entries", async () => {
      const { scopes } = subject.store;
      await scopes.apply([
        ...TREE,
        category("general", "empty", "none"),
        entry("general", "code", "a", "1"),
        entry("general", "code", "b", "2"),
      ]);
      const list = await scopes.list();
      expect(list.find((scope) => scope.id === "general")).toEqual({
        ...GENERAL,
        categoryCount: 2,
        entryCount: 2,
      });
      expect(list.find((scope) => scope.id === "webapp")).toEqual({
        ...PRODUCT,
        categoryCount: 0,
        entryCount: 0,
      });
    });

    test("an export has parents before children and can be applied elsewhere", async () => {
      const { scopes } = subject.store;
      await scopes.apply([
        put({ id: "zz-root", tier: "GENERAL" }),
        put({ id: "aa-child", tier: "PROJECT", parent: "zz-root" }),
        entry("aa-child", "c", "k", "v"),
      ]);
      const all = await scopes.all();
      expect(all.map((scope) => scope.id)).toEqual(["zz-root", "aa-child"]);
      expect(all[1]?.entries).toEqual([{ category: "c", keyword: "k", content: "v" }]);
    });

    test("putting again updates in place and keeps the order", async () => {
      const { scopes } = subject.store;
      await scopes.apply([
        ...TREE,
        entry("webapp", "c", "one", "1"),
        entry("webapp", "c", "two", "2"),
      ]);
      await scopes.apply([
        put({ ...PRODUCT, description: "Now described" }),
        category("webapp", "c", "Described too"),
        entry("webapp", "c", "one", "new"),
      ]);
      const [scope] = await scopes.chain("webapp");
      expect(scope?.description).toBe("Now described");
      expect(scope?.categories).toEqual([{ name: "c", description: "Described too" }]);
      expect(scope?.entries.map((each) => each.content)).toEqual(["new", "2"]);
    });

    test("entries and categories can be removed", async () => {
      const { scopes } = subject.store;
      await scopes.apply([
        ...TREE,
        entry("webapp", "c", "one", "1"),
        entry("webapp", "d", "two", "2"),
        entry("webapp", "d", "three", "3"),
      ]);
      await scopes.apply([
        { kind: "remove-entry", scope: "webapp", category: "d", keyword: "two" },
        { kind: "remove-category", scope: "webapp", name: "c" },
      ]);
      const [scope] = await scopes.chain("webapp");
      expect(scope?.categories.map((each) => each.name)).toEqual(["d"]);
      expect(scope?.entries.map((each) => each.keyword)).toEqual(["three"]);
    });

    test("a bare category is removed with its last entry, and not while it has another", async () => {
      const { scopes } = subject.store;
      const remove = (keyword: string) =>
        scopes.apply([
          { kind: "remove-entry", scope: "webapp", category: "c", keyword, withBareCategory: true },
        ]);
      const left = async () => {
        const [scope] = await scopes.chain("webapp");
        return [
          scope?.categories.map((each) => each.name),
          scope?.entries.map((each) => each.keyword),
        ];
      };
      await scopes.apply([
        ...TREE,
        entry("webapp", "c", "one", "1"),
        entry("webapp", "c", "two", "2"),
      ]);
      await remove("one");
      expect(await left()).toEqual([["c"], ["two"]]);
      await remove("two");
      expect(await left()).toEqual([[], []]);
      await scopes.apply([
        { kind: "put-category", scope: "webapp", name: "c", description: "described" },
        entry("webapp", "c", "three", "3"),
      ]);
      await remove("three");
      expect(await left()).toEqual([["c"], []]);
    });

    test("a category that was removed can be put again in the same step", async () => {
      const { scopes } = subject.store;
      await scopes.apply([...TREE, entry("webapp", "c", "old", "1")]);
      await scopes.apply([
        entry("webapp", "c", "old", "2"),
        { kind: "remove-category", scope: "webapp", name: "c" },
        entry("webapp", "c", "new", "3"),
      ]);
      expect((await scopes.chain("webapp"))[0]?.entries).toEqual([
        { category: "c", keyword: "new", content: "3" },
      ]);
    });

    test("removing a scope removes its own entries", async () => {
      const { scopes } = subject.store;
      await scopes.apply([...TREE, entry("checkout-api", "c", "k", "v")]);
      await scopes.apply([{ kind: "remove-scope", id: "checkout-api" }]);
      expect(await ids()).toEqual(["general", "webapp"]);
      await scopes.apply([put(PROJECT)]);
      expect((await scopes.chain("checkout-api"))[0]?.entries).toEqual([]);
    });

    test("a scope can move to another parent with all below it", async () => {
      const { scopes } = subject.store;
      await scopes.apply([...TREE, put({ id: "other", tier: "GENERAL" })]);
      await scopes.apply([put({ ...PRODUCT, parent: "other" })]);
      const chain = await scopes.chain("checkout-api");
      expect(chain.map((scope) => scope.id)).toEqual(["checkout-api", "webapp", "other"]);
      const order = (await scopes.all()).map((scope) => scope.id);
      expect(order.indexOf("other")).toBeLessThan(order.indexOf("webapp"));
      expect(order.indexOf("webapp")).toBeLessThan(order.indexOf("checkout-api"));
    });

    test("ids may contain any characters", async () => {
      const { scopes } = subject.store;
      const odd = { id: "a/b %2F 課金 _%", tier: "GENERAL" } as const;
      await scopes.apply([put(odd), put({ id: "a", tier: "PROJECT", parent: odd.id })]);
      expect((await scopes.chain("a")).map((scope) => scope.id)).toEqual(["a", odd.id]);
    });

    const refusals: [string, ScopeChange, string][] = [
      ["a parent that does not exist", put({ ...PROJECT, parent: "nobody" }), "SCOPE_NOT_FOUND"],
      [
        "a parent of the same tier",
        put({ id: "x", tier: "PROJECT", parent: "checkout-api" }),
        "SCOPE_CONFLICT",
      ],
      [
        "a parent of a lower tier",
        put({ id: "x", tier: "GENERAL", parent: "webapp" }),
        "SCOPE_CONFLICT",
      ],
      ["a scope as its own parent", put({ ...PRODUCT, parent: "webapp" }), "SCOPE_CONFLICT"],
      ["a parent from below", put({ ...GENERAL, parent: "checkout-api" }), "SCOPE_CONFLICT"],
      ["a tier that its children forbid", put({ ...PRODUCT, tier: "PROJECT" }), "SCOPE_CONFLICT"],
      [
        "removing a scope with children",
        { kind: "remove-scope", id: "webapp" },
        "SCOPE_HAS_CHILDREN",
      ],
      ["removing an unknown scope", { kind: "remove-scope", id: "nobody" }, "SCOPE_NOT_FOUND"],
      ["an entry of an unknown scope", entry("nobody", "c", "k", "v"), "SCOPE_NOT_FOUND"],
      [
        "removing an unknown entry",
        { kind: "remove-entry", scope: "webapp", category: "c", keyword: "k" },
        "ENTRY_NOT_FOUND",
      ],
      [
        "removing an unknown category",
        { kind: "remove-category", scope: "webapp", name: "c" },
        "ENTRY_NOT_FOUND",
      ],
    ];
    test.each(refusals)(
      "%s is refused and nothing of the change is applied",
      async (_, change, code) => {
        const { scopes } = subject.store;
        await scopes.apply(TREE);
        const before = await scopes.all();
        const version = await scopes.version();
        const changes = [
          put({ id: "fresh", tier: "GENERAL" }),
          entry("webapp", "x", "y", "z"),
          change,
        ];
        await expect(scopes.apply(changes)).rejects.toMatchObject({ code });
        expect(await scopes.all()).toEqual(before);
        expect(await scopes.version()).toBe(version);
      },
    );

    test("the version grows with each change, also another process's", async () => {
      const { scopes } = subject.store;
      const other = (await subject.another()).scopes;
      const versions = [await scopes.version()];
      await scopes.apply(TREE);
      versions.push(await scopes.version());
      await other.apply([entry("webapp", "c", "k", "v")]);
      // A change by another process may take a moment to arrive.
      await expect.poll(() => scopes.version()).toBeGreaterThan(versions.at(-1) as number);
      versions.push(await scopes.version());
      await scopes.apply([entry("webapp", "c", "k", "w")]);
      versions.push(await scopes.version());
      expect(new Set(versions).size).toBe(4);
      expect([...versions].sort((a, b) => a - b)).toEqual(versions);
      await expect.poll(() => other.version()).toBe(versions.at(-1));
      expect((await other.chain("webapp"))[0]?.entries[0]?.content).toBe("w");
    });

    test("a large import is applied whole", async () => {
      const { scopes } = subject.store;
      const entries = Array.from({ length: 5000 }, (_, at) =>
        entry("webapp", `c${at % 10}`, `k${at}`, `content ${at}`),
      );
      await scopes.apply([...TREE, ...entries]);
      const [scope] = await scopes.chain("webapp");
      expect(scope?.categories).toHaveLength(10);
      expect(scope?.entries).toHaveLength(5000);
    });
  });
}

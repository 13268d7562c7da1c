import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type ScopeContent, TIERS } from "../../src/domain/scope.ts";
import { openScopes, type Scopes } from "../../src/scopes/scopes.ts";
import type { ScopeChange } from "../../src/store/store.ts";
import { openMemoryScopes } from "../support/memory-scopes.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempFolder } from "../support/temp-folder.ts";

const RUNS = { numRuns: 150 };
const log = silentLog();

// Few names, so that they meet often; slashes, other scripts and names of Object.prototype among them.
const categoryName = fc.constantFrom("git", "api", "テスト", "constructor");
const keyword = fc.constantFrom(
  "commit",
  "push",
  "ci/cd",
  "api/auth",
  "é",
  "__proto__",
  "toString",
);
const text = fc.constantFrom(
  "one",
  "two",
  "three\nlines",
  "- a: b\n- c",
  "'quoted' # no comment",
  "0",
  "\x1b[2J \x9b31m \u202eturned\u202c\ttab",
  "👩‍💻 zero\u200bwidth \u{e0041}",
);

const category = fc.record({
  name: categoryName,
  description: fc.constantFrom("", "Git rules", "API: rules"),
  entries: fc.uniqueArray(fc.tuple(keyword, text), { selector: ([name]) => name, maxLength: 5 }),
});

const hierarchy: fc.Arbitrary<readonly ScopeContent[]> = fc
  .array(
    fc.record({
      tier: fc.nat(3),
      above: fc.option(fc.nat(20), { nil: undefined }),
      description: fc.option(fc.constantFrom("A scope", "スコープ"), { nil: undefined }),
      categories: fc.uniqueArray(category, { selector: ({ name }) => name, maxLength: 4 }),
    }),
    { minLength: 1, maxLength: 10 },
  )
  .map((drafts) => {
    const made: ScopeContent[] = [];
    for (const draft of [...drafts].sort((a, b) => a.tier - b.tier)) {
      const fits = made.filter((one) => TIERS.indexOf(one.tier) < draft.tier);
      const parent = draft.above === undefined ? undefined : fits[draft.above % fits.length]?.id;
      made.push({
        id: `scope-${made.length}`,
        tier: TIERS[draft.tier] ?? "PROJECT",
        ...(parent === undefined ? {} : { parent }),
        ...(draft.description === undefined ? {} : { description: draft.description }),
        categories: draft.categories.map(({ name, description }) => ({ name, description })),
        entries: draft.categories.flatMap(({ name, entries }) =>
          entries.map(([word, content]) => ({ category: name, keyword: word, content })),
        ),
      });
    }
    return made;
  });

function toChanges(scopes: readonly ScopeContent[]): readonly ScopeChange[] {
  return scopes.flatMap(({ categories, entries, ...scope }) => [
    { kind: "put-scope", scope } as const,
    ...categories.map((one) => ({ kind: "put-category", scope: scope.id, ...one }) as const),
    ...entries.map((one) => ({ kind: "put-entry", scope: scope.id, ...one }) as const),
  ]);
}

async function openWith(scopes: readonly ScopeContent[]): Promise<Scopes> {
  const store = openMemoryScopes();
  await store.apply(toChanges(scopes));
  return openScopes({ store, log });
}

// The naive model: walk up from the scope and take the first that says something.
function chainOf(scopes: readonly ScopeContent[], id: string): readonly ScopeContent[] {
  const scope = scopes.find((one) => one.id === id);
  if (scope === undefined) return [];
  return [scope, ...(scope.parent === undefined ? [] : chainOf(scopes, scope.parent))];
}

function winner(chain: readonly ScopeContent[], name: string, word: string) {
  for (const scope of chain) {
    const found = scope.entries.find((one) => one.category === name && one.keyword === word);
    if (found !== undefined) return { ...found, scope: scope.id };
  }
  return undefined;
}

const all = fc.tuple(hierarchy, fc.nat());

describe("scopes against a naive model", () => {
  test("a category is listed once, with the tier of the most specific scope that has it", async () => {
    await fc.assert(
      fc.asyncProperty(all, async ([scopes, pick]) => {
        const { id } = scopes[pick % scopes.length] as ScopeContent;
        const chain = chainOf(scopes, id);
        const rows = (await (await openWith(scopes)).get(id)).categories();
        const names = [...new Set(chain.flatMap((one) => one.categories.map(({ name }) => name)))];
        expect(rows.map(({ name }) => name)).toEqual(names.sort());
        for (const row of rows) {
          const having = chain.filter((one) =>
            one.categories.some(({ name }) => name === row.name),
          );
          const said = having
            .map((one) => one.categories.find(({ name }) => name === row.name)?.description)
            .find((description) => description !== "");
          expect(row).toEqual({ name: row.name, tier: having[0]?.tier, description: said ?? "" });
        }
      }),
      RUNS,
    );
  });

  test("keywords are the union of the chain, without duplicates", async () => {
    await fc.assert(
      fc.asyncProperty(all, fc.array(categoryName), async ([scopes, pick], asked) => {
        const { id } = scopes[pick % scopes.length] as ScopeContent;
        const chain = chainOf(scopes, id);
        const found = (await (await openWith(scopes)).get(id)).keywords(asked);
        for (const name of new Set(asked)) {
          const known = chain.some((one) => one.categories.some((each) => each.name === name));
          const entries = chain.flatMap((one) => one.entries);
          const union = new Set(
            entries.filter((one) => one.category === name).map((one) => one.keyword),
          );
          expect(found.notFound.includes(name)).toBe(!known);
          if (known) expect(found.keywords[name]).toEqual([...union].sort());
          else expect(Object.hasOwn(found.keywords, name)).toBe(false);
        }
      }),
      RUNS,
    );
  });

  test("every entry of the chain is found by category/keyword, the most specific one", async () => {
    await fc.assert(
      fc.asyncProperty(all, async ([scopes, pick]) => {
        const { id } = scopes[pick % scopes.length] as ScopeContent;
        const chain = chainOf(scopes, id);
        const resolved = await (await openWith(scopes)).get(id);
        for (const { category: name, keyword: word } of chain.flatMap((one) => one.entries)) {
          const { entries, notFound } = resolved.knowledge([`${name}/${word}`]);
          expect(notFound).toEqual([]);
          expect(entries.map((one) => ({ ...one, scope: one.scope.id }))).toEqual([
            { ...winner(chain, name, word), asked: `${name}/${word}` },
          ]);
        }
      }),
      RUNS,
    );
  });

  test("a plain keyword gives the most specific scope's entry, and names the other categories", async () => {
    await fc.assert(
      fc.asyncProperty(all, fc.array(keyword), async ([scopes, pick], asked) => {
        const { id } = scopes[pick % scopes.length] as ScopeContent;
        const chain = chainOf(scopes, id);
        const found = (await (await openWith(scopes)).get(id)).knowledge(asked);
        const ids = found.entries.map((one) => `${one.category}/${one.keyword}`);
        expect(new Set(ids).size).toBe(ids.length);
        for (const word of new Set(asked)) {
          const slash = word.indexOf("/");
          const isQualified =
            slash > 0 && winner(chain, word.slice(0, slash), word.slice(slash + 1)) !== undefined;
          if (isQualified) continue;
          const scope = chain.find((one) => one.entries.some((each) => each.keyword === word));
          const here = scope?.entries
            .filter((one) => one.keyword === word)
            .map((one) => one.category);
          const chosen = here?.sort()[0];
          expect(found.notFound.includes(word)).toBe(chosen === undefined);
          if (chosen === undefined) continue;
          const given = found.entries.find(
            (one) => one.category === chosen && one.keyword === word,
          );
          expect({ ...given, scope: given?.scope.id }).toMatchObject(
            winner(chain, chosen, word) ?? {},
          );
          const others = new Set(
            chain
              .flatMap((one) => one.entries.filter((each) => each.keyword === word))
              .map((one) => one.category),
          );
          const ambiguity = found.ambiguous.find((one) => one.keyword === word);
          expect(new Set(ambiguity?.others ?? [])).toEqual(
            new Set([...others].filter((name) => name !== chosen).map((name) => `${name}/${word}`)),
          );
        }
      }),
      RUNS,
    );
  });

  test("removing an entry restores the parent's", async () => {
    await fc.assert(
      fc.asyncProperty(all, async ([scopes, pick]) => {
        const scope = scopes[pick % scopes.length] as ScopeContent;
        const entry = scope.entries[pick % Math.max(1, scope.entries.length)];
        fc.pre(entry !== undefined);
        const opened = await openWith(scopes);
        const removed = await opened.removeEntry({ scope: scope.id, ...entry });
        const expected = winner(chainOf(scopes, scope.id).slice(1), entry.category, entry.keyword);
        const after = (await opened.get(scope.id)).entry(entry.category, entry.keyword);
        expect(after && { ...after, scope: after.scope.id }).toEqual(expected);
        expect(removed.inherited?.content).toBe(expected?.content);
      }),
      RUNS,
    );
  });

  test("the explanation names the effective entry and all overridden ones, nearest first", async () => {
    await fc.assert(
      fc.asyncProperty(all, async ([scopes, pick]) => {
        const { id } = scopes[pick % scopes.length] as ScopeContent;
        const chain = chainOf(scopes, id);
        const { entries } = await (await openWith(scopes)).explain(id);
        const stated = chain.flatMap((one) => one.entries).length;
        expect(entries.reduce((sum, one) => sum + 1 + one.overridden.length, 0)).toBe(stated);
        for (const { category: name, keyword: word, winner: won, overridden } of entries) {
          const order = [won, ...overridden].map((one) => one.scope);
          expect(order).toEqual(
            chain
              .filter((one) =>
                one.entries.some((each) => each.category === name && each.keyword === word),
              )
              .map((one) => one.id),
          );
        }
      }),
      RUNS,
    );
  });

  describe("files", () => {
    let folder: string;
    beforeAll(async () => {
      folder = tempFolder("scopes");
    });

    test.each(["json", "yaml"] as const)("import = export = import (%s)", async (format) => {
      await fc.assert(
        fc.asyncProperty(hierarchy, async (scopes) => {
          const first = await openWith(scopes);
          const path = join(folder, `rules.${format}`);
          const exported = await first.export(format);
          await writeFile(path, exported);

          const second = openScopes({ store: openMemoryScopes(), log });
          const report = await second.import([path], {});
          expect(report.fatal).toEqual([]);
          expect(report.refused).toEqual([]);
          expect(await second.export(format)).toBe(exported);

          const again = await second.import([path], { prune: true });
          expect(again.scopes.every(({ outcome }) => outcome === "unchanged")).toBe(true);
          expect(await second.export(format)).toBe(exported);
        }),
        { numRuns: 100 },
      );
    });

    test("any Markdown can be imported without an error, and again without a change", async () => {
      const piece = fc.constantFrom(
        "# T",
        "## A",
        "### B",
        "## A",
        "#x",
        "text",
        "- **L:** item",
        "- item",
        "  more",
        "1. step",
        "```",
        "~~~",
        "---",
        "***",
        "===",
        "<!--",
        "-->",
        "@other.md",
        "@../up.md",
        "[a]: b",
        "[a]",
        "| t |",
        "> q",
        "**Bold**",
        "globs: **/*",
        "name: x",
        "\u0000",
        "\ud800",
        "é\u0301",
        "日本語",
        "",
        "",
        " ".repeat(9_000),
        "x".repeat(9_000),
      );
      const files = [
        "AGENTS.md",
        "sub/AGENTS.md",
        "guide.md",
        "sub/README.md",
        "r.mdc",
        "c.instructions.md",
        "s/SKILL.md",
        "s/ref.md",
      ];
      let number = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.dictionary(fc.constantFrom(...files), fc.array(piece, { maxLength: 14 }), {
            minKeys: 1,
          }),
          async (tree) => {
            const root = join(folder, `md-${number++}`);
            for (const [path, lines] of Object.entries(tree)) {
              await mkdir(dirname(join(root, path)), { recursive: true });
              await writeFile(join(root, path), lines.join("\n"));
            }
            const opened = openScopes({ store: openMemoryScopes(), log });
            const options = { scope: "x", guides: true };
            const first = await opened.import([root], options);
            expect(first.fatal).toEqual([]);
            const again = await opened.import([root], options);
            expect(again.scopes.every(({ outcome }) => outcome === "unchanged")).toBe(true);
            expect(again.notInSources).toBe(0);
          },
        ),
        { numRuns: 150 },
      );
    });

    test("an import turns one hierarchy into any other, with prune", async () => {
      await fc.assert(
        fc.asyncProperty(hierarchy, hierarchy, async (before, after) => {
          const path = join(folder, "after.json");
          const wanted = await (await openWith(after)).export("json");
          await writeFile(path, wanted);
          // Scopes that the file does not name stay; here it names them all.
          const opened = await openWith(before.slice(0, after.length));
          const report = await opened.import([path], { prune: true, replace: true });
          expect(report.applied).toBe(true);
          expect(await opened.export("json")).toBe(wanted);
        }),
        { numRuns: 100 },
      );
    });
  });
});

import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { openImportFolder } from "../../../test/support/import-folder.ts";
import type { ImportReport } from "../scopes.ts";

let { folder, scopes, write, keywords, content } = openImportFolder();

beforeEach(() => {
  ({ folder, scopes, write, keywords, content } = openImportFolder());
});

const counts = ({ sources }: ImportReport) =>
  sources.map(({ added, changed, unchanged, refused }) => [added, changed, unchanged, refused]);

describe("scope files", () => {
  const file = {
    scopes: [
      {
        id: "shop",
        tier: "PRODUCT",
        categories: { git: { description: "Git", entries: { commit: "A", push: "B" } } },
      },
      { id: "api", tier: "PROJECT", parent: "shop", categories: {} },
    ],
  };

  test("re-importing changes only what differs, and prune removes what is gone", async () => {
    await write({ "rules.json": JSON.stringify(file) });
    const path = join(folder, "rules.json");
    expect(counts(await scopes.import([path], {}))).toEqual([[2, 0, 0, 0]]);
    await write({
      "rules.json": JSON.stringify(file).replace('"A"', '"A2"').replace(',"push":"B"', ""),
    });
    const second = await scopes.import([path], {});
    expect([counts(second), second.notInSources, second.removed]).toEqual([[[0, 1, 0, 0]], 1, 0]);
    const changed = { scope: "shop", category: "git", keyword: "commit", outcome: "changed" };
    expect(second.rules).toEqual([{ ...changed, before: "A", after: "A2" }]);
    expect(await content("api", "push")).toBe("B");
    const third = await scopes.import([path], { prune: true });
    expect([counts(third), third.removed]).toEqual([[[0, 0, 1, 0]], 1]);
    expect(third.rules).toMatchObject([{ keyword: "push", outcome: "removed", before: "B" }]);
    expect(await keywords("api")).toEqual({ git: ["commit"] });
  });

  test("an existing scope moves only on request", async () => {
    await write({ "rules.json": JSON.stringify(file) });
    const path = join(folder, "rules.json");
    await scopes.import([path], {});
    const moved = JSON.stringify(file).replace('"PRODUCT"', '"GENERAL"');
    await write({ "rules.json": moved });
    const refused = await scopes.import([path], {});
    expect(refused.applied).toBe(false);
    expect(refused.fatal[0]?.reason).toContain("--replace");
    expect(refused.scopes.map(({ outcome }) => outcome)).not.toContain("added");
    expect(counts(refused)).toEqual([[0, 0, 0, 1]]);
    expect((await scopes.summary("shop")).tier).toBe("PRODUCT");
    const asked = await scopes.import([path], { replace: true });
    expect(asked.scopes).toContainEqual(
      expect.objectContaining({ id: "shop", outcome: "changed" }),
    );
    expect((await scopes.summary("shop")).tier).toBe("GENERAL");
    expect(await content("api", "push")).toBe("B");
  });

  test("a source that names no parent keeps the stored one", async () => {
    await write({ "rules.json": JSON.stringify(file) });
    await scopes.import([join(folder, "rules.json")], {});
    const alone = { scopes: [{ id: "api", tier: "PROJECT", categories: {} }] };
    await write({ "alone.json": JSON.stringify(alone) });
    expect((await scopes.import([join(folder, "alone.json")], {})).applied).toBe(true);
    expect((await scopes.summary("api")).parent).toBe("shop");
  });

  test("a dry run changes nothing", async () => {
    await write({ "rules.json": JSON.stringify(file) });
    const report = await scopes.import([join(folder, "rules.json")], { dryRun: true });
    expect([report.applied, counts(report)]).toEqual([false, [[2, 0, 0, 0]]]);
    expect(await scopes.list()).toEqual([]);
  });

  test.each([
    ["bad.json", '{ "scopes": [\n  { "id": "a", }\n] }', 2, "is not valid JSON"],
    ["bad.yaml", "scopes:\n  - id: a\n  tier: [", 0, "is not valid YAML"],
    ["tier.yaml", "scopes:\n  - id: a\n    tier: TEAM\n", 2, "none of GENERAL"],
    [
      "parent.yaml",
      "scopes:\n  - id: a\n    tier: GROUP\n    parent: b\n",
      2,
      '"b" of "a" does not exist',
    ],
    [
      "order.yaml",
      "scopes:\n  - id: a\n    tier: GROUP\n  - {id: b, tier: GROUP, parent: a}\n",
      4,
      "more general",
    ],
    [
      "twin.yaml",
      "scopes:\n  - {id: a, tier: GROUP}\n  - {id: a, tier: GROUP}\n",
      3,
      "defined twice",
    ],
    [
      "doubled.json",
      '{"scopes": [{"id": "a", "tier": "GROUP", "categories": {"g": {"entries": {\n"k": "1",\n"k": "2"}}}}]}',
      3,
      '"k" appears twice',
    ],
    ["else.json", '{"name": "package"}', 1, 'has no "scopes"'],
  ])("%s fails as a whole, with line and reason", async (name, text, line, reason) => {
    await write({ [name]: text, "good.json": JSON.stringify(file) });
    const report = await scopes.import([join(folder, "good.json"), join(folder, name)], {});
    expect(report.applied).toBe(false);
    expect(report.fatal[0]?.reason).toContain(reason);
    if (line > 0) expect(report.fatal[0]?.line).toBe(line);
    expect(await scopes.list()).toEqual([]);
  });

  test("an invalid entry is refused with its line, the rest is imported", async () => {
    await write({
      "rules.yaml": [
        "scopes:",
        "  - id: a",
        "    tier: PROJECT",
        "    categories:",
        "      git:",
        "        description: Git",
        "        entries:",
        "          number: 30",
        "          list:",
        "            - no",
        `          long: ${"x".repeat(65_537)}`,
        "      api/v1: { description: no, entries: { a: b } }",
      ].join("\n"),
    });
    const path = join(folder, "rules.yaml");
    const strict = await scopes.import([path], { strict: true });
    expect([strict.applied, await scopes.list()]).toEqual([false, []]);
    const report = await scopes.import([path], {});
    expect(report.refused.map(({ line }) => line)).toEqual([10, 12, 11]);
    expect(await keywords("a")).toEqual({ git: ["number"] });
    expect(await content("a", "number")).toBe("30");
  });

  test("a file of nested aliases is refused", async () => {
    const rows = Array.from({ length: 12 }, (_, at) =>
      at === 0
        ? "a0: &a0 [x, x, x, x, x, x, x, x]"
        : `a${at}: &a${at} [${Array(8).fill(`*a${at - 1}`)}]`,
    );
    await write({ "bomb.yaml": `${rows.join("\n")}\nscopes: []\n` });
    const report = await scopes.import([join(folder, "bomb.yaml")], {});
    expect(report.fatal[0]?.reason).toBe("has too many aliases");
  });
});

test("re-importing a folder keeps the scope's current tier and parent", async () => {
  await write({ "AGENTS.md": "## Style\n\nTabs.\n" });
  await scopes.putScope({ id: "company", tier: "GENERAL" });
  await scopes.import([folder], { scope: "x", tier: "GROUP", parent: "company" });
  const again = await scopes.import([folder], { scope: "x" });
  expect(again.scopes).toMatchObject([{ tier: "GROUP", parent: "company", outcome: "unchanged" }]);
});

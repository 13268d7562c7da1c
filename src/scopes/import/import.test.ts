import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { openMemoryScopes } from "../../../test/support/memory-scopes.ts";
import { silentLog } from "../../../test/support/silent-log.ts";
import { tempFolder } from "../../../test/support/temp-folder.ts";
import { type ImportReport, openScopes, type Scopes } from "../scopes.ts";

let folder: string;
let scopes: Scopes;

beforeEach(async () => {
  folder = tempFolder("import");
  scopes = openScopes({ store: openMemoryScopes(), log: silentLog() });
});

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

async function keywords(id: string): Promise<Record<string, readonly string[]>> {
  const resolved = await scopes.get(id);
  const names = resolved.categories().map(({ name }) => name);
  return { ...resolved.keywords(names).keywords };
}

async function content(id: string, name: string): Promise<string | undefined> {
  return (await scopes.get(id)).knowledge([name]).entries[0]?.content;
}

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
    expect(await content("api", "push")).toBe("B");
    const third = await scopes.import([path], { prune: true });
    expect([counts(third), third.removed]).toEqual([[[0, 0, 1, 0]], 1]);
    expect(await keywords("api")).toEqual({ git: ["commit"] });
  });

  test("a scope that is there moves only when it was asked for", async () => {
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

  test("a source that names no parent leaves it as it is", async () => {
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
      '"k" is here twice',
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

  test("an entry that cannot be taken is refused with its line, the rest is taken", async () => {
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

  test("a file of aliases upon aliases is refused", async () => {
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

describe("AGENTS.md and CLAUDE.md", () => {
  test("each folder with one is a scope, and the nearest wins", async () => {
    await write({
      "AGENTS.md": "# Shop\n\nThe shop.\n\n## Testing\n\nRun everything.\n\n## Style\n\nTabs.\n",
      "api/AGENTS.md": "## Testing\n\nRun the API's.\n",
      "api/v1/AGENTS.md": "## Testing\n\nRun v1's.\n",
      "web/CLAUDE.md": "## Style\n\nSpaces.\n",
    });
    const { scopes: made } = await scopes.import([folder], { scope: "shop" });
    expect(made.map(({ id, tier, parent }) => [id, tier, parent])).toEqual([
      ["shop", "PRODUCT", undefined],
      ["shop/api", "GROUP", "shop"],
      ["shop/web", "PROJECT", "shop"],
      ["shop/api/v1", "PROJECT", "shop/api"],
    ]);
    expect(await content("shop/api/v1", "testing")).toBe("Run v1's.");
    expect(await content("shop/api/v1", "style")).toBe("Tabs.");
    expect(await content("shop/web", "style")).toBe("Spaces.");
    expect((await scopes.get("shop")).scope.description).toBe("The shop.");
  });

  test("below a product the folders start at the next tier", async () => {
    await scopes.putScope({ id: "product", tier: "PRODUCT" });
    await write({ "AGENTS.md": "## Style\n\nTabs.\n", "api/AGENTS.md": "## Style\n\nSpaces.\n" });
    const { scopes: made } = await scopes.import([folder], { scope: "shop", parent: "product" });
    expect(made.map(({ id, tier, parent }) => [id, tier, parent])).toEqual([
      ["shop", "GROUP", "product"],
      ["shop/api", "PROJECT", "shop"],
    ]);
  });

  test("a tree deeper than the tiers is folded, and the nearest still wins", async () => {
    const at = (text: string) => `## Rule\n\n${text}\n\n## ${text}\n\nonly here\n`;
    await write({
      "AGENTS.md": at("root"),
      "a/AGENTS.md": at("one"),
      "a/b/AGENTS.md": at("two"),
      "a/b/c/AGENTS.md": at("three"),
      "a/b/c/d/AGENTS.md": at("four"),
    });
    await scopes.import([folder], { scope: "deep", tier: "GROUP" });
    expect(await content("deep/a/b/c/d", "rule/rule")).toBe("four");
    expect(Object.keys(await keywords("deep/a/b/c/d"))).toEqual([
      "four",
      "one",
      "root",
      "rule",
      "three",
      "two",
    ]);
    expect((await scopes.get("deep/a/b")).chain.map(({ id }) => id)).toEqual(["deep/a/b", "deep"]);
  });

  test("links and @file lines are followed once, and only inside the folder", async () => {
    await write({
      "AGENTS.md": "## Style\n\nTabs.\n",
      "pkg/CLAUDE.md":
        "@../docs/rules.md\n\n@../../outside.md\n\n@missing.md\n\n```\n@../docs/rules.md\n```\n",
      "docs/rules.md": "## Shared\n\nShared rule.\n\n@../pkg/CLAUDE.md\n",
    });
    await symlink("AGENTS.md", join(folder, "CLAUDE.md"));
    await mkdir(join(folder, "evil"));
    await symlink("/etc/passwd", join(folder, "evil/AGENTS.md"));
    const report = await scopes.import([folder], { scope: "x" });
    expect(await keywords("x")).toEqual({ style: ["style"] });
    expect((await keywords("x/pkg"))["shared"]).toEqual(["shared"]);
    expect(await content("x/pkg", "shared")).toContain("Shared rule.");
    expect(report.refused.map(({ line, reason }) => `${line} ${reason}`).sort()).toEqual([
      "0 leads outside the imported folder",
      "3 @../../outside.md there is no such file",
      "5 @missing.md there is no such file",
    ]);
  });

  test("a project's plain Markdown is left out, and said so", async () => {
    await write({
      "AGENTS.md": "## Style\n\nTabs.\n",
      ".claude/rules/sql.md": "# SQL\n\nUpper case.\n",
      "docs/history.md": "# History\n\nLong ago.\n",
    });
    const report = await scopes.import([folder], { scope: "x" });
    expect(report.notes[0]).toContain("--guides");
    expect(Object.keys(await keywords("x"))).toEqual(["sql", "style"]);
    await scopes.import([folder], { scope: "x", guides: true });
    expect(Object.keys(await keywords("x"))).toEqual(["history", "sql", "style"]);
  });

  test("bullets that their author labelled are entries, short ones stay together", async () => {
    const long = "because of many reasons that take a while to tell ".repeat(4);
    await write({
      "AGENTS.md": `## Standards\n\n- **Icons:** One set, ${long}\n- **Paths.** Aliases, ${long}\n- **API calls**: Generated, ${long}\n\n## Keys\n\n- **A:** a\n- **B:** b\n- **C:** c\n`,
    });
    await scopes.import([folder], { scope: "x" });
    expect(await keywords("x")).toEqual({
      keys: ["keys"],
      standards: ["api-calls", "icons", "paths"],
    });
  });
});

describe("Cursor, Copilot and skills", () => {
  test("front matter that is not YAML is read as text", async () => {
    await write({
      ".cursor/rules/vue.mdc":
        "---\ndescription: Vue: how we write it\nglobs: **/*.vue, **/*.ts\nalwaysApply: false\n---\n# Vue\n\n## State\n\nUse Pinia.\n",
      ".cursor/rules/all.mdc": "---\ndescription:\nglobs: **/*\n---\nBe kind.\n",
    });
    const report = await scopes.import([folder], { scope: "x" });
    expect(report.refused).toEqual([]);
    expect(
      (await scopes.get("x")).categories().map(({ name, description }) => [name, description]),
    ).toEqual([
      ["all", "Be kind."],
      ["vue", "Vue: how we write it. Applies to **/*.vue, **/*.ts."],
    ]);
    expect(await keywords("x")).toEqual({ all: ["all"], vue: ["state"] });
  });

  test("Copilot's instructions say what they apply to", async () => {
    await write({
      ".github/instructions/rust.instructions.md":
        "---\ndescription: 'Rust conventions'\napplyTo: '**/*.rs'\n---\n\n# Rust\n\nIdiomatic Rust.\n\n## Errors\n\nUse `?`.\n",
    });
    await scopes.import([folder], { scope: "x" });
    expect((await scopes.get("x")).categories()[0]?.description).toBe(
      "Rust conventions. Applies to **/*.rs.",
    );
    expect(await keywords("x")).toEqual({ rust: ["errors", "rust"] });
  });

  test("a skill is a category, the files beside it are its keywords", async () => {
    await write({
      "AGENTS.md": "## Style\n\nTabs.\n",
      ".agents/skills/translate/SKILL.md":
        "---\nname: translations\ndescription: >-\n  Translate the UI.\n  Use it for locales.\n---\n# T\n\n## Steps\n\nOne by one.\n",
      ".agents/skills/translate/locales/ja.md": "# Japanese\n\nDesu, masu.\n",
      ".agents/skills/translate/references/glossary.md": "# Glossary\n\nDag stays Dag.\n",
    });
    await scopes.import([folder], { scope: "x" });
    expect(await keywords("x")).toEqual({
      style: ["style"],
      translations: ["glossary", "locales-ja", "steps"],
    });
    const row = (await scopes.get("x")).categories().find(({ name }) => name === "translations");
    expect(row?.description).toBe("Translate the UI. Use it for locales.");
  });
});

describe("guides", () => {
  test("a folder's README is a category, its small files are keywords of it", async () => {
    await write({
      "git/README.md":
        "# Git\n\nA guide for version control.\n\n## Merge\n\nRebase, see [how].\n\n## Push\n\nNever force.\n\n[how]: https://example.com/rebase\n",
      "git/how-to/sign.md": "# Sign commits\n\nWith SSH.\n",
      "style.md": "# Style\n\n- Two spaces.\n",
      "CHANGELOG.md": "# Changes\n\n- None.\n",
    });
    await scopes.import([folder], { scope: "x", tier: "GENERAL" });
    expect(await keywords("x")).toEqual({ git: ["merge", "push", "sign"], style: ["style"] });
    expect(await content("x", "merge")).toBe(
      "Rebase, see [how].\n\n[how]: https://example.com/rebase",
    );
    expect((await scopes.get("x")).categories()[0]).toEqual({
      name: "git",
      tier: "GENERAL",
      description: "A guide for version control. Covers: Merge, Push.",
    });
  });

  test("a long section is split by what is inside it, code blocks stay whole", async () => {
    const code = `\`\`\`sh\n${"echo one\n\n".repeat(300)}# not a heading\n\`\`\``;
    const prose = "A sentence of some length that fills the page. ".repeat(100);
    await write({
      "long.md": `# Long\n\n## Big\n\nIntro.\n\n### First part\n\n${prose}\n\n### Second part\n\n${prose}\n\n${code}\n\n## Plain\n\n${`${prose}\n\n`.repeat(3)}`,
    });
    await scopes.import([folder], { scope: "x" });
    expect((await keywords("x"))["long"]).toEqual([
      "big",
      "first-part",
      "plain",
      "plain-part-2",
      "plain-part-3",
      "second-part",
    ]);
    expect(await content("x", "second-part")).toContain("echo one\n\n# not a heading\n```");
  });

  test("with bullets, every bullet is an entry", async () => {
    await write({
      "html.md":
        "# HTML\n\n- Prefer double quotes.\n- Use `alt` on images: always.\n  Even empty.\n",
    });
    await scopes.import([folder], { scope: "x", bullets: true });
    expect(await keywords("x")).toEqual({ html: ["prefer-double-quotes", "use-alt-on-images"] });
    expect(await content("x", "use-alt-on-images")).toBe(
      "Use `alt` on images: always.\nEven empty.",
    );
  });

  test("two files of one name stay apart", async () => {
    await write({ "a/style.md": "# Style\n\nTabs.\n", "b/style.md": "# Style\n\nSpaces.\n" });
    await scopes.import([folder], { scope: "x" });
    expect(Object.keys(await keywords("x"))).toEqual(["b-style", "style"]);
  });

  test("files that are not text, or not UTF-8, are refused and the rest is taken", async () => {
    await write({ "good.md": "# Good\n\nYes.\n" });
    await writeFile(join(folder, "binary.md"), Buffer.from([0x41, 0x00, 0x42]));
    await writeFile(join(folder, "latin.md"), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
    await writeFile(join(folder, "empty.md"), "");
    const report = await scopes.import([folder], { scope: "x" });
    expect(report.refused.map(({ reason }) => reason).sort()).toEqual([
      "holds no text to take",
      "is not UTF-8 text",
      "is not a text file",
    ]);
    expect(await keywords("x")).toEqual({ good: ["good"] });
  });

  test("headings in other scripts name their entries", async () => {
    await write({
      "規約.md": "# 規約\n\n## コミットの書き方\n\n短く。\n\n## C++ と C#\n\n両方。\n",
    });
    await scopes.import([folder], { scope: "x" });
    expect(await keywords("x")).toEqual({ 規約: ["cpp-と-csharp", "コミットの書き方"] });
  });
});

test("re-importing a folder keeps the tier and parent that the scope has by then", async () => {
  await write({ "AGENTS.md": "## Style\n\nTabs.\n" });
  await scopes.putScope({ id: "company", tier: "GENERAL" });
  await scopes.import([folder], { scope: "x", tier: "GROUP", parent: "company" });
  const again = await scopes.import([folder], { scope: "x" });
  expect(again.scopes).toMatchObject([{ tier: "GROUP", parent: "company", outcome: "unchanged" }]);
});

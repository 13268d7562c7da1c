import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { openImportFolder } from "../../../test/support/import-folder.ts";

let { folder, scopes, write, keywords, content } = openImportFolder();

beforeEach(() => {
  ({ folder, scopes, write, keywords, content } = openImportFolder());
});

describe("AGENTS.md and CLAUDE.md", () => {
  test("each folder with such a file is a scope, and the nearest wins", async () => {
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

  test("a description that was added by hand stays when the file is imported again", async () => {
    await write({ "AGENTS.md": "## Style\n\nTabs.\n" });
    await scopes.import([folder], { scope: "shop" });
    const described = { name: "style", description: "Before you format code" };
    await scopes.putScope({ id: "shop", tier: "PROJECT", categories: [described] });
    await write({ "AGENTS.md": "## Style\n\nSpaces.\n" });
    await scopes.import([folder], { scope: "shop" });
    expect(await content("shop", "style")).toBe("Spaces.");
    expect(await scopes.check()).toEqual([]);
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

  test("a tree deeper than the tiers is flattened, and the nearest still wins", async () => {
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

  test("a project's plain Markdown is left out, and reported", async () => {
    await write({
      "AGENTS.md": "## Style\n\nTabs.\n",
      ".claude/rules/sql.md": "# SQL\n\nUpper case.\n",
      "docs/history.md": "# History\n\nLong ago.\n",
    });
    const report = await scopes.import([folder], { scope: "x" });
    expect(report.notes[0]?.code).toMatch(/left/i);
    expect(Object.keys(await keywords("x"))).toEqual(["sql", "style"]);
    await scopes.import([folder], { scope: "x", guides: true });
    expect(Object.keys(await keywords("x"))).toEqual(["history", "sql", "style"]);
  });
});

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { openImportFolder } from "../../../test/support/import-folder.ts";

let { folder, scopes, write, keywords, content } = openImportFolder();

beforeEach(() => {
  ({ folder, scopes, write, keywords, content } = openImportFolder());
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
      ["all", ""],
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

  test("a skill is a category, and the files in its folder are its keywords", async () => {
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

  test("two files of one name stay apart", async () => {
    await write({ "a/style.md": "# Style\n\nTabs.\n", "b/style.md": "# Style\n\nSpaces.\n" });
    await scopes.import([folder], { scope: "x" });
    expect(Object.keys(await keywords("x"))).toEqual(["b-style", "style"]);
  });

  test("files that are not text, or not UTF-8, are refused and the rest is imported", async () => {
    await write({ "good.md": "# Good\n\nYes.\n" });
    await writeFile(join(folder, "binary.md"), Buffer.from([0x41, 0x00, 0x42]));
    await writeFile(join(folder, "latin.md"), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
    await writeFile(join(folder, "empty.md"), "");
    const report = await scopes.import([folder], { scope: "x" });
    expect(report.refused.map(({ reason }) => reason).sort()).toEqual([
      "has no text to import",
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

import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { beforeEach, expect, test } from "vitest";
import { openImportFolder } from "../../../test/support/import-folder.ts";

let { scopes, keywords } = openImportFolder();
beforeEach(() => {
  ({ scopes, keywords } = openImportFolder());
});

const AGENTS = "## Style\n\nTabs.\n";
const left = async () =>
  (await readdir(tmpdir())).filter((name) => name.startsWith("knowledge-rules-"));

test("a preview names what would change and writes nothing", async () => {
  const files = [{ path: "AGENTS.md", text: AGENTS }];
  const before = await left();
  const report = await scopes.importFiles(files, { scope: "shop", dryRun: true });
  expect(report).toMatchObject({
    applied: false,
    scopes: [{ id: "shop", outcome: "added" }],
    sources: [{ source: "AGENTS.md", added: 1, changed: 0 }],
  });
  expect(await scopes.list()).toEqual([]);
  expect(await left()).toEqual(before);
});

test("a folder provides the name and the tree", async () => {
  const files = [
    { path: "shop/AGENTS.md", text: AGENTS },
    { path: "shop/api/AGENTS.md", text: "## Errors\n\nName the remedy.\n" },
  ];
  const report = await scopes.importFiles(files, {});
  expect(report.scopes.map(({ id }) => id)).toEqual(["shop", "shop/api"]);
  expect(report.sources.map(({ source }) => source)).toEqual([
    "shop/AGENTS.md",
    "shop/api/AGENTS.md",
  ]);
  expect(Object.keys(await keywords("shop/api"))).toEqual(["errors", "style"]);
});

test("invalid YAML is reported with its line, and nothing is imported", async () => {
  const files = [{ path: "rules.yaml", text: "scopes:\n  - id: a\n    tier: TOP\n" }];
  const report = await scopes.importFiles(files, {});
  expect(report.applied).toBe(false);
  expect(report.fatal).toEqual([
    { source: "rules.yaml", line: 2, reason: expect.stringContaining("the tier of") },
  ]);
});

test.each(["../x.md", "/etc/x.md", "a//b.md", "a/./b.md", "a\\b.md", "c:x.md", "a\u0000.md", ""])(
  "%j is not a path to write to",
  async (path) => {
    const dropped = scopes.importFiles([{ path, text: AGENTS }], { scope: "x" });
    await expect(dropped).rejects.toMatchObject({ code: "INVALID_PARAMETER" });
  },
);

test("a refusal shows no path of this machine", async () => {
  const dropped = scopes.importFiles([{ path: "notes.txt", text: "x" }], { scope: "x" });
  await expect(dropped).rejects.toThrow('"notes.txt" is not a rules file');
});

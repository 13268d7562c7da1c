import { expect, test } from "vitest";
import { needsScope, readRuleFiles } from "./rule-files.ts";

const named = (name: string) => ({ name, file: new File([name], name) });

test("only files that may hold rules are read", async () => {
  const read = await readRuleFiles(
    [
      "shop/AGENTS.md",
      "shop/.cursor/rules/vue.mdc",
      "shop/.cursorrules",
      "shop/rules.yaml",
      "shop/logo.png",
      "shop/.git/HEAD.md",
      "shop/node_modules/x/README.md",
    ].map(named),
  );
  expect(read.map(({ path }) => path)).toEqual([
    "shop/AGENTS.md",
    "shop/.cursor/rules/vue.mdc",
    "shop/.cursorrules",
    "shop/rules.yaml",
  ]);
});

test.each([
  ["AGENTS.md", true],
  ["shop/AGENTS.md", false],
  ["rules.yaml", false],
])("%s needs a scope to go to: %j", (path, needed) => {
  expect(needsScope([{ path, text: "" }])).toBe(needed);
});

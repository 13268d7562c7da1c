import { expect, test } from "vitest";
import { needsScope, offeredScope, readRuleFiles } from "./rule-files.ts";

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
])("%s needs a target scope: %j", (path, needed) => {
  expect(needsScope([{ path, text: "" }])).toBe(needed);
});

test.each([
  [["shop/AGENTS.md", "shop/docs/api.md"], "shop"],
  [["shop/AGENTS.md", "CLAUDE.md"], "shop"],
  [["shop/AGENTS.md", "bank/AGENTS.md"], ""],
  [["AGENTS.md"], ""],
  [[".cursorrules"], ""],
  [["Checkout style.md"], "Checkout-style"],
  [["python.instructions.md"], "python"],
  [["a.md", "b.md"], ""],
  [["scopes.yaml"], ""],
  [[], ""],
])("%j offer the scope %j", (paths, offered) => {
  expect(offeredScope(paths.map((path) => ({ path, text: "" })))).toBe(offered);
});

test("a file that is named like many others is offered by its heading", () => {
  const text = "Read this first.\n\n# Checkout API\n\n## Git\n";
  expect(offeredScope([{ path: "AGENTS.md", text }])).toBe("checkout-api");
});

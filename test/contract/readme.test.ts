import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PAGES, withTable } from "../../scripts/settings.ts";

const root = join(import.meta.dirname, "..", "..");

test.each(PAGES)(
  "the settings of %s are those of the schema (node scripts/settings.ts prints them)",
  async (page) => {
    const readme = await readFile(join(root, page), "utf8");
    expect(readme).toContain("<!-- settings:");
    expect(withTable(readme, page)).toBe(readme);
  },
);

test.each(PAGES)("a setting of %s that differs from the schema is found", async (page) => {
  const readme = await readFile(join(root, page), "utf8");
  const planted = readme.replace("`--data-dir`", "`--data-folder`");
  expect(planted).not.toBe(readme);
  expect(withTable(planted, page)).toBe(readme);
});

import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { withTable } from "../../scripts/settings.ts";

const root = join(import.meta.dirname, "..", "..");

test("the README's settings are those of the schema (node scripts/settings.ts prints them)", async () => {
  const readme = await readFile(join(root, "README.md"), "utf8");
  expect(withTable(readme)).toBe(readme);
});

test("every link between documents leads somewhere", async () => {
  const all = [
    ...(await readdir(root)),
    ...(await readdir(join(root, "docs"), { recursive: true })).map((name) => join("docs", name)),
  ];
  const names = all.filter((name) => name.endsWith(".md"));
  const broken: string[] = [];
  for (const name of names) {
    const text = await readFile(join(root, name), "utf8");
    for (const [, target = ""] of text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)) {
      if (!existsSync(join(root, dirname(name), target))) broken.push(`${name}: ${target}`);
    }
  }
  expect(broken).toEqual([]);
});

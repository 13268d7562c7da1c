import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withTable } from "../../scripts/settings.ts";

const root = join(import.meta.dirname, "..", "..");

test("the README's settings are those of the schema (node scripts/settings.ts prints them)", async () => {
  const readme = await readFile(join(root, "README.md"), "utf8");
  expect(withTable(readme)).toBe(readme);
});

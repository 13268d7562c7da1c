import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findViolations, type Sources } from "./support/architecture.ts";

async function readSources(): Promise<Sources> {
  const src = join(import.meta.dirname, "..", "src");
  const names = (await readdir(src, { recursive: true })).map((name) => name.replaceAll("\\", "/"));
  const code = names.filter(
    (name) =>
      name.endsWith(".ts") && !name.endsWith(".test.ts") && !name.startsWith("console/pages/"),
  );
  const texts = await Promise.all(code.map((name) => readFile(join(src, name), "utf8")));
  return new Map(code.map((name, at) => [name, texts[at] ?? ""]));
}

test("every room imports what the table allows, and by its door", async () => {
  expect(findViolations(await readSources())).toEqual([]);
});

test.each([
  ["a lower room that imports a higher one", "store/planted.ts", 'import "../tools/tool.ts";'],
  [
    "a room that is entered beside its door",
    "search/planted.ts",
    'import { x } from "../store/sqlite/open.ts";',
  ],
  ["a driver imported lazily", "ingest/planted.ts", 'await import("../store/postgres/open.ts");'],
  ["a type from the composition root", "cli/planted.ts", 'import type { App } from "../app.ts";'],
  [
    "configuration below the root",
    "embed/planted.ts",
    'import type { Config } from "../config/config.ts";',
  ],
  ["a room that nobody planned", "helpers/planted.ts", ""],
  ["the environment read in a room", "answer/planted.ts", 'const key = process.env["KEY"];'],
  ["a write to stdout in a room", "mcp/planted.ts", 'process.stdout.write("x");'],
  ["a caller with rights by default", "transports/planted.ts", "const who = given ?? OWNER;"],
  ["an address read a second time", "console/planted.ts", "const path = request.url;"],
  ["rights compared in a room", "console/planted.ts", 'if (who.rights.has("admin")) show();'],
  ["a refusal made in a room", "mcp/planted.ts", "throw accessDenied();"],
  ["a file name that says nothing", "chunk/utils.ts", ""],
  ["a barrel", "chunk/index.ts", ""],
  ["a file that has grown too long", "chunk/planted.ts", "\n".repeat(400)],
])("%s is found", (_fault, path, text) => {
  expect(findViolations(new Map([[path, text]]))).toHaveLength(1);
});

test("comments may name what code may not touch", () => {
  const text = "// process.env is read by config alone\n/* process.stdout too */\n";
  expect(findViolations(new Map([["chunk/planted.ts", text]]))).toEqual([]);
});

// The console's Japanese descriptions of the tools, one by one against what the server itself says.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import TOOLS_JA from "../../src/console/pages/connect/tools-ja.json" with { type: "json" };
import { FETCH, SEARCH } from "../../src/tools/chatgpt/contract.ts";

const stored = join(import.meta.dirname, "stored");
const tools = readdirSync(stored).map(
  (file) =>
    JSON.parse(readFileSync(join(stored, file), "utf8")) as { name: string; description: string },
);

/** What a caller types, which stays as it is. */
const typed = (text: string) =>
  new Set(text.match(/knowledge-[a-z-]+|get_[a-z]+|DELETE ALL|confirm=true|async=false/g));

test.each(tools)("$name is described in Japanese", ({ name, description }) => {
  const text = new Map(Object.entries(TOOLS_JA)).get(name) ?? "";
  expect(text).toMatch(/[\p{Script=Hiragana}].*。$/u);
  expect(typed(text)).toEqual(typed(description));
});

test("no Japanese description is for a tool that the server does not have", () => {
  const names = [...tools, SEARCH, FETCH].map(({ name }) => name);
  expect(Object.keys(TOOLS_JA).toSorted()).toEqual(names.toSorted());
});

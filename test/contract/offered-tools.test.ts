// What clients see in tools/list: one stored file a tool, so that no word of the contract changes unseen.
import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toCatalogue } from "../../src/mcp/catalogue.ts";
import { openTestApp, type TestApp } from "../support/app.ts";

const STORED = new URL("stored/", import.meta.url);

let at: TestApp;
const listed = () => toCatalogue(at.app).tools.tools;

beforeAll(async () => {
  at = await openTestApp({ kbText: "Text." });
});
afterAll(() => at.close());

test("every tool is offered as stored, and no other", async () => {
  for (const tool of listed()) {
    const text = `${JSON.stringify(tool, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`stored/${tool.name}.json`);
  }
  const names = listed().map(({ name }) => `${name}.json`);
  expect((await readdir(STORED)).toSorted()).toEqual(names.toSorted());
});

test("schemas hold nothing that only machines would write", () => {
  const text = JSON.stringify(listed());
  expect(text.includes(String(Number.MAX_SAFE_INTEGER))).toBe(false);
  expect(text.includes('"pattern"')).toBe(false);
  expect(text.includes('"$schema"')).toBe(false);
});

test("what a model reads of all tools stays under 14,000 characters", () => {
  const read = listed().map(({ name, description, inputSchema }) => [
    name,
    description,
    inputSchema,
  ]);
  expect(JSON.stringify(read).length).toBeLessThan(14_000);
});

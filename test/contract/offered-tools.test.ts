// What clients see in tools/list: one stored file per tool, so that no change of the contract goes unnoticed.
import { readdir } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ShippedTools, shippedTools } from "../support/shipped-tools.ts";

const STORED = new URL("stored/", import.meta.url);

type Listed = readonly {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}[];

let at: ShippedTools;
let tools: Listed;

beforeAll(async () => {
  // With everything enabled.
  at = await shippedTools({ allowUrls: true });
  // The raw message, because the client's copy has its keys in another order.
  tools = at.messages.flatMap((message) =>
    "result" in message ? ((message.result["tools"] as Listed | undefined) ?? []) : [],
  );
});
afterAll(() => at.dispose());

test("every tool is offered as stored, and no other", async () => {
  for (const tool of tools) {
    const text = `${JSON.stringify(tool, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(`stored/${tool.name}.json`);
  }
  const names = tools.map(({ name }) => `${name}.json`);
  expect((await readdir(STORED)).toSorted()).toEqual(names.toSorted());
});

test("schemas contain no generated noise", () => {
  const text = JSON.stringify(tools);
  expect(text.includes(String(Number.MAX_SAFE_INTEGER))).toBe(false);
  expect(text.includes('"pattern"')).toBe(false);
  expect(text.includes('"$schema"')).toBe(false);
});

test("the list of all usual tools stays under 20,000 characters", () => {
  const usual = tools.filter(({ name }) => name !== "knowledge-add-url");
  expect(JSON.stringify({ tools: usual }).length).toBeLessThan(20_000);
});

test("what a model reads of all usual tools stays under 13,600 characters", () => {
  const usual = tools.filter(({ name }) => name !== "knowledge-add-url");
  const read = usual.map(({ name, description, inputSchema }) => [name, description, inputSchema]);
  expect(JSON.stringify(read).length).toBeLessThan(13_600);
});

test("nothing is fetched from the web unless that is allowed", async () => {
  const usual = await shippedTools();
  try {
    const { tools: offered } = await usual.client.listTools();
    expect(offered.map(({ name }) => name)).not.toContain("knowledge-add-url");
  } finally {
    await usual.dispose();
  }
});

// With an unavailable database, status still shows its place and the problem, without waiting.
import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCommand } from "../support/commands.ts";
import { tempFolder } from "../support/temp-folder.ts";

/** Accepts connections and never responds. */
let silent: Server;
beforeAll(async () => {
  silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
});
afterAll(() => void silent.close());

const status = async (dataDir: string, flags: Record<string, string> = {}) =>
  runCommand({ name: "status", args: [], options: {}, dataDir, flags });

test("a PostgreSQL that does not respond: degraded, with its address and the reason", async () => {
  const { port } = silent.address() as AddressInfo;
  const flags = { "database-url": `postgres://someone:secret@127.0.0.1:${port}/knowledge` };
  const { code, text } = await status(tempFolder("away"), flags);
  expect(code).toBe(1);
  expect(text).toMatch(/Health +degraded/);
  expect(text).toContain(`postgres://127.0.0.1:${port}/knowledge`);
  expect(text).toMatch(/cannot be reached/);
  expect(text).not.toContain("secret");
});

test("a damaged embedded database: degraded, with its path and the reason", async () => {
  const dataDir = tempFolder("away");
  writeFileSync(join(dataDir, "knowledge.db"), "not a database at all".repeat(100));
  const { code, text } = await status(dataDir);
  expect(code).toBe(1);
  expect(text).toMatch(/Health +degraded/);
  expect(text).toContain(join(dataDir, "knowledge.db"));
});

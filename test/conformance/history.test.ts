// Several processes work at random on one knowledge base while some are killed or paused: their results can
// be explained by a knowledge base that works sequentially and loses nothing. Longer: npm run history.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HistoryOptions, runHistories } from "../../stress/history/run-history.ts";
import { SEED } from "../support/seed.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { type TempDatabase, tempDatabase } from "../support/temp-postgres.ts";

// A loaded machine is slow, not wrong.
const TIMEOUT_MS = 600_000;
const SHORT = { seed: SEED, seconds: 8, operations: 30, pauseMs: 300 };

let folder: string;
let database: TempDatabase | undefined;
beforeAll(async () => {
  folder = tempFolder("history");
  database = await tempDatabase();
});
afterAll(async () => {
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

async function expectExplained(place: HistoryOptions["place"]): Promise<void> {
  const { violations, undecided, kills, pauses } = await runHistories({ ...SHORT, place });
  expect(violations).toEqual([]);
  expect(undecided).toBe(0);
  expect(kills).toBeGreaterThan(0);
  expect(pauses).toBeGreaterThan(0);
}

test("histories on SQLite can be explained", { timeout: TIMEOUT_MS }, async () => {
  const dataDir = join(folder, "data");
  await expectExplained({ kind: "sqlite", at: dataDir, files: join(folder, "files") });
  const file = new DatabaseSync(join(dataDir, "knowledge.db"));
  expect(file.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  file.close();
});

test("histories on PostgreSQL can be explained", { timeout: TIMEOUT_MS }, async ({ skip }) => {
  if (!database) return skip("no PostgreSQL, as was said on stderr");
  await expectExplained({ kind: "postgres", at: database.url, files: join(folder, "pg") });
});

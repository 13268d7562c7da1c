// A log that was damaged after its changes were acknowledged: SQLite would drop everything behind the damage without a
// word. LOG_FLIPS=2000 tries more places.
import { readFileSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { type Database, openDatabase } from "../../src/store/sqlite/database.ts";
import { openEngine } from "../../src/store/sqlite/engine.ts";
import { repairFolder } from "../../src/store/sqlite/repair/repair.ts";
import { openTasks } from "../../src/store/tasks.ts";
import { fingerprint, overwrite, soundFolder } from "../support/damaged-folder.ts";
import { SEED } from "../support/seed.ts";
import { openStoreAt } from "../support/temp-store.ts";

const FLIPS = Number(process.env["LOG_FLIPS"] ?? 30);
const CHANGES = 12;
const [HEADER, FRAME] = [32, 24 + 4096];
/** Which of them may be the torn end of a change that a power cut interrupted, and was never acknowledged. */
const MAY_BE_TORN = 2;

const { sound, copy } = await soundFolder("damaged-log");
const logOf = (folder: string) => join(folder, "knowledge.db-wal");
let crashed: string;

const tasksOf = (database: Database) => openTasks(openEngine(database));

/** As a killed process leaves it: every change is in the log only. */
beforeAll(async () => {
  const database = openDatabase(sound);
  database.run("PRAGMA wal_autocheckpoint = 0");
  for (let at = 0; at < CHANGES; at++) await tasksOf(database).enqueue(`late-${at}`, aTask(at));
  crashed = copy();
  database.close();
});

const aTask = (at: number) => ({
  contentHash: at.toString(16).padStart(64, "0"),
  filename: `late ${at}.txt`,
  sizeBytes: 1,
  metadata: {},
  forceOcr: false,
});

/** The late changes that a program sees which opens the folder, or the code of its refusal. */
async function seen(folder: string): Promise<unknown> {
  try {
    const database = openDatabase(folder);
    try {
      const tasks = await tasksOf(database).list({ limit: 1_000 });
      return tasks.filter(({ id }) => id.startsWith("late-")).length;
    } finally {
      database.close();
    }
  } catch (thrown) {
    return (thrown as { code: unknown }).code;
  }
}

function flip(path: string, at: number): void {
  const byte = readFileSync(path).readUInt8(at);
  overwrite(path, at, Buffer.from([byte ^ 0x10]));
}

describe("a log with one wrong byte", () => {
  const FIELDS = { magic: 0, "page size": 9, salt: 17, checksum: 25 };
  test.each(Object.entries(FIELDS))("in its header's %s is refused, unchanged", async (_, at) => {
    const folder = copy(crashed);
    flip(logOf(folder), at);
    const before = fingerprint(folder);
    expect(await seen(folder)).toBe("STORE_CORRUPT");
    const { "lock.db": _lock, ...after } = fingerprint(folder);
    expect(after).toEqual(
      Object.fromEntries(Object.entries(before).filter(([name]) => name !== "lock.db")),
    );
    const { damage, losses } = await repairFolder(folder, { force: false });
    expect(damage[0]).toMatch(/log/);
    expect(losses).toContainEqual(expect.objectContaining({ kind: "log" }));
    expect(await seen(folder)).toBe(0);
    rmSync(folder, { recursive: true });
  });

  test(`at any of ${FLIPS} places is refused, or only its last changes are missing`, async () => {
    const { size } = statSync(logOf(crashed));
    // Half of them in a frame's header.
    const place = fc.oneof(
      fc.integer({ min: 0, max: size - 1 }),
      fc
        .tuple(
          fc.integer({ min: 0, max: (size - HEADER) / FRAME - 1 }),
          fc.integer({ min: 0, max: 23 }),
        )
        .map(([frame, at]) => HEADER + frame * FRAME + at),
    );
    const run = async (at: number) => {
      const folder = copy(crashed);
      flip(logOf(folder), at);
      const result = await seen(folder);
      rmSync(folder, { recursive: true });
      if (result !== "STORE_CORRUPT") expect(result).toBeGreaterThanOrEqual(CHANGES - MAY_BE_TORN);
    };
    await fc.assert(fc.asyncProperty(place, run), { seed: SEED, numRuns: FLIPS });
  });
});

describe("what a crash leaves is not taken for damage", () => {
  test("a log that ends within a change", async () => {
    const { size } = statSync(logOf(crashed));
    for (const cut of [1, 24, FRAME, 2 * FRAME + 100]) {
      const folder = copy(crashed);
      truncateSync(logOf(folder), size - cut);
      expect(await seen(folder)).toBeGreaterThanOrEqual(CHANGES - MAY_BE_TORN);
    }
  });

  test("the rest of an earlier, longer log", async () => {
    const folder = copy(crashed);
    const database = openDatabase(folder);
    database.run("PRAGMA wal_autocheckpoint = 0");
    database.get("PRAGMA wal_checkpoint(RESTART)");
    await tasksOf(database).enqueue("late-more", aTask(CHANGES));
    const later = copy(folder);
    database.close();
    expect(statSync(logOf(later)).size).toBeGreaterThanOrEqual(statSync(logOf(crashed)).size);
    expect(await seen(later)).toBe(CHANGES + 1);
  });

  test("the torn ends of two changes, one behind the other", async () => {
    const end = statSync(logOf(crashed)).size;
    // Each change is on the disk but for one page of its first frame; the second is the shorter one.
    const tear = async (folder: string, rows: number) => {
      const database = openDatabase(folder);
      database.run("PRAGMA wal_autocheckpoint = 0");
      await database.write(async () => {
        const sql = "INSERT OR REPLACE INTO dropped_originals VALUES (?, 0)";
        for (let at = 0; at < rows; at++) database.run(sql, `${rows} ${at} `.repeat(500));
      });
      const torn = copy(folder);
      database.close();
      flip(logOf(torn), end + 500);
      return torn;
    };
    const folder = await tear(await tear(copy(crashed), 60), 20);
    expect(statSync(logOf(folder)).size).toBeGreaterThan(end + 40 * FRAME);
    expect(await seen(folder)).toBe(CHANGES);
  });
});

test("a server that meets one says what to do", async () => {
  const folder = copy(crashed);
  flip(logOf(folder), HEADER + FRAME + 100);
  const store = openStoreAt(folder);
  await expect(store.tasks.list({ limit: 10 })).rejects.toMatchObject({
    code: "STORE_CORRUPT",
    message: expect.stringMatching(/log, knowledge\.db-wal, is damaged.*repair/),
  });
  await store.close();
});

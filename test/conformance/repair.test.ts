// Repair of databases that were damaged in many places: the losses it reports are the ones that can be measured.
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { openEngine } from "../../src/store/sqlite/engine.ts";
import { repairFolder } from "../../src/store/sqlite/repair/repair.ts";
import { openOperations } from "../../src/store/sqlite/thread/operations.ts";
import { openTasks } from "../../src/store/tasks.ts";
import {
  type Contents,
  copyFolder,
  damages,
  fingerprint,
  measureLosses,
  overwrite,
  readContents,
  reportedLosses,
  soundFolder,
} from "../support/damaged-folder.ts";
import { SEED } from "../support/seed.ts";
import { openStoreHere } from "../support/temp-store.ts";

/** More by REPAIR_SEEDS=30. */
const SEEDS = Number(process.env["REPAIR_SEEDS"] ?? 1);
const CASES = Array.from({ length: SEEDS }, (_, at) => damages(SEED + at)).flat();

const { sound, copy } = await soundFolder("repair");
let before: Contents;
beforeAll(async () => {
  before = await readContents(sound);
});

const KINDS_COVERED: Readonly<Record<string, string>> = {
  metadata: "document",
  text: "document",
  scope: "rule",
  category: "rule",
};

describe("damage", () => {
  test.for(CASES)("$name: reported losses match the measured ones", async ({ apply }) => {
    const folder = copy();
    apply(folder);
    const report = await repairFolder(folder, { force: false });
    const measured = measureLosses(before, await readContents(folder));
    const reported = reportedLosses(report.losses);
    const unknown = new Set(
      report.losses.flatMap(({ kind, name }) => (name === "unknown" ? kind : [])),
    );
    const isCovered = (loss: string) => {
      const [kind = ""] = loss.split(" ");
      return (
        reported.all.has(loss) ||
        [kind, KINDS_COVERED[kind]].some((each) => unknown.has(each as never))
      );
    };
    expect([...measured].filter((loss) => !isCovered(loss))).toEqual([]);
    const nameless = /^document recovered-/;
    expect(
      [...reported.certain].filter((loss) => !measured.has(loss) && !nameless.test(loss)),
    ).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.startsWith("repair-work"))).toEqual([]);
    if (report.setAsideAs !== undefined)
      expect(readdirSync(join(folder, report.setAsideAs))).toContain("knowledge.db");
    rmSync(folder, { recursive: true });
  });

  test("a database without its header is restored completely", async () => {
    const folder = copy();
    overwrite(join(folder, "knowledge.db"), 0, Buffer.alloc(4096));
    const { losses } = await repairFolder(folder, { force: false });
    expect(losses.filter(({ kind }) => kind !== "original" && kind !== "task")).toEqual([]);
    expect(measureLosses(before, await readContents(folder)).size).toBe(0);
  });

  test("text overwritten inside an intact page is detected and read again", async () => {
    const folder = copy();
    const path = join(folder, "knowledge.db");
    const database = new DatabaseSync(path);
    database.exec("UPDATE texts SET body = zeroblob(400) WHERE doc = 2");
    database.close();
    const report = await repairFolder(folder, { force: false });
    expect(report.damage).toEqual(["1 documents are not stored as written"]);
    expect((await readContents(folder)).unread).toEqual(new Set(["document-1"]));
  });

  test("a damaged log loses the last changes, which are reported, and no file", async () => {
    const folder = await withLog();
    const log = join(folder, "knowledge.db-wal");
    overwrite(log, statSync(log).size - 3000, Buffer.alloc(100, 7));
    const report = await repairFolder(folder, { force: false });
    expect(report.damage[0]).toMatch(/log is damaged/);
    expect(report.losses).toContainEqual(expect.objectContaining({ kind: "log" }));
    expect(existsSync(log)).toBe(false);
    expect(measureLosses(before, await readContents(folder)).size).toBe(0);
  });

  test("an intact log is part of the database", async () => {
    const folder = await withLog();
    const report = await repairFolder(folder, { force: true });
    expect(report.damage).toEqual([]);
    expect((await readContents(folder)).tasks.has("late")).toBe(true);
  });
});

/** As a killed process leaves it: the last task is in the log only. */
async function withLog(): Promise<string> {
  const open = copy();
  const database = openDatabase(open);
  database.run("PRAGMA wal_autocheckpoint = 0");
  await openTasks(openEngine(database)).enqueue("late", aTask());
  const folder = copy(open);
  database.close();
  return folder;
}

function aTask() {
  const contentHash = "ab".repeat(32);
  return { contentHash, filename: "late.txt", sizeBytes: 1, metadata: {}, forceOcr: false };
}

describe("no damage", () => {
  test("an intact database is not changed by a single byte", async () => {
    const folder = copy();
    const files = fingerprint(folder);
    expect(await repairFolder(folder, { force: false })).toMatchObject({ damage: [], losses: [] });
    expect(fingerprint(folder)).toEqual(files);
  });

  test("a forced repair of an intact database loses nothing", async () => {
    const folder = copy();
    const { losses, setAsideAs = "" } = await repairFolder(folder, { force: true });
    expect(reportedLosses(losses).all.size).toBe(0);
    expect(measureLosses(before, await readContents(folder)).size).toBe(0);
    const kept = readFileSync(join(folder, setAsideAs, "knowledge.db"));
    expect(kept.equals(readFileSync(join(sound, "knowledge.db")))).toBe(true);
  });

  test.each([2, 99, 9_999])(
    "schema version %i is refused without changing a byte",
    async (version) => {
      const folder = copy();
      setVersion(folder, version);
      const files = fingerprint(folder);
      for (const force of [false, true]) {
        await expect(repairFolder(folder, { force })).rejects.toMatchObject({
          code: "STORE_TOO_NEW",
        });
      }
      expect(fingerprint(folder)).toEqual(files);
    },
  );

  test("a missing database is not created unless requested", async () => {
    const folder = copy();
    rmSync(join(folder, "knowledge.db"));
    const files = fingerprint(folder);
    await expect(repairFolder(folder, { force: false })).rejects.toThrow(/repair --force/);
    expect(fingerprint(folder)).toEqual(files);
    const report = await repairFolder(folder, { force: true });
    expect(report.queued).toBe(
      readdirSync(join(folder, "originals"), { recursive: true }).filter((name) =>
        /[0-9a-f]{64}$/.test(String(name)),
      ).length,
    );
  });
});

describe("files", () => {
  const HASH = /[0-9a-f]{64}$/;
  const originalsOf = (folder: string) =>
    readdirSync(join(folder, "originals"), { recursive: true, encoding: "utf8" })
      .filter((name) => HASH.test(name))
      .map((name) => name.slice(3));

  /** As a sweep does it. */
  function discard(folder: string, hash: string, note: object): void {
    const from = join(folder, "originals", hash.slice(0, 2), hash);
    copyFolder(from, join(folder, "trash", hash));
    rmSync(from);
    writeFileSync(join(folder, "trash", `${hash}.json`), JSON.stringify(note));
  }

  test("that a document needs are restored from the trash", async () => {
    const folder = copy();
    const hashes = originalsOf(folder);
    for (const hash of hashes) discard(folder, hash, { why: "failed" });
    overwrite(join(folder, "knowledge.db"), 0, Buffer.alloc(100));
    const { losses } = await repairFolder(folder, { force: false });
    expect(losses.filter(({ kind }) => kind === "original")).toHaveLength(
      before.documents.size / 3,
    );
    const needed = new Set(
      [...before.documents.values()].map(({ about }) => JSON.parse(about).contentHash),
    );
    const back = originalsOf(folder);
    expect(hashes.filter((hash) => needed.has(hash) && !back.includes(hash))).toEqual([]);
  });

  test("of a lost database are restored, those in the trash under their names", async () => {
    const folder = copy();
    const [lost = "", failed = "", ...others] = originalsOf(folder);
    discard(folder, lost, { why: "unreferenced", filename: "let go.md" });
    discard(folder, failed, { why: "failed" });
    rmSync(join(folder, "knowledge.db"));
    const { queued } = await repairFolder(folder, { force: true });
    expect(queued).toBe(others.length + 1);
    expect([...(await readContents(folder)).tasks.values()].join()).toContain("let go.md");
    expect(originalsOf(folder)).not.toContain(failed);
  });

  test("without their documents are hidden from everybody who does not see everything", async () => {
    const folder = copy();
    rmSync(join(folder, "knowledge.db"));
    const { queued, recovered } = await repairFolder(folder, { force: true });
    expect(recovered).toBe(queued);
    const store = openStoreHere(folder);
    const all = { limit: queued, open: true };
    expect(await store.tasks.list(all)).toHaveLength(queued);
    expect(await store.seenBy(["general", "shop", "team"]).tasks.list(all)).toEqual([]);
    expect(await store.scopes.list()).toMatchObject([{ id: "recovered" }]);
    await store.close();
  });

  test("stay the knowledge base's own: the id is kept", async () => {
    const folder = copy();
    const idOf = () => {
      const database = openDatabase(folder);
      const { id } = database.identity;
      database.close();
      return id;
    };
    const id = idOf();
    await repairFolder(folder, { force: true });
    expect(idOf()).toBe(id);
  });

  test("of removed documents are not restored", async () => {
    const folder = copy();
    const database = openDatabase(folder);
    const removed = await openOperations(database).documents.remove("document-1");
    database.close();
    await repairFolder(folder, { force: true });
    const hash = removed?.document.contentHash ?? "none";
    expect(originalsOf(folder)).toContain(hash);
    expect([...(await readContents(folder)).tasks.values()].join()).not.toContain(hash);
  });
});

describe("a repair that is killed", () => {
  const STEPS = ["mark", "log", "database", "fresh"] as const;

  test.each(STEPS)("after the step '%s' is finished by the next", async (step) => {
    const folder = copy();
    const names = { fresh: "repair-work-x/new/knowledge.db", aside: "before-repair-x" };
    stopAt(folder, names, STEPS.indexOf(step));
    expect(() => openDatabase(folder)).toThrow(/Run `knowledge-server repair`/);
    await repairFolder(folder, { force: false });
    expect(measureLosses(before, await readContents(folder)).size).toBe(0);
    expect(existsSync(join(folder, names.aside, "knowledge.db"))).toBe(true);
  });
});

/** What the disk has after that many steps of the swap. */
function stopAt(folder: string, names: { fresh: string; aside: string }, steps: number): void {
  copyFolder(join(folder, "knowledge.db"), join(folder, names.fresh));
  overwrite(join(folder, "knowledge.db"), 0, Buffer.alloc(4096));
  writeFileSync(join(folder, "knowledge.db-wal"), "of the old database");
  writeFileSync(join(folder, "unfinished-repair.json"), JSON.stringify(names));
  const move = (from: string, to: string) => {
    copyFolder(join(folder, from), join(folder, to));
    rmSync(join(folder, from));
  };
  if (steps >= 1) move("knowledge.db-wal", join(names.aside, "knowledge.db-wal"));
  if (steps >= 2) move("knowledge.db", join(names.aside, "knowledge.db"));
  if (steps >= 3) move(names.fresh, "knowledge.db");
}

function setVersion(folder: string, version: number): void {
  const database = new DatabaseSync(join(folder, "knowledge.db"));
  database.exec(`PRAGMA user_version = ${version}`);
  database.close();
}

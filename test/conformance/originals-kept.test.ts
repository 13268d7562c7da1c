// The last copy of a file is never deleted by the program's own decision.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cp, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, expect, test } from "vitest";
import { openTrash } from "../../src/store/core/trash.ts";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { openOperations } from "../../src/store/sqlite/thread/operations.ts";
import type { Store } from "../../src/store/store.ts";
import {
  addWithOriginal,
  bytesIn,
  keepText,
  makeOld,
  originalsIn,
  sha256,
  tidyFolder,
} from "../support/aged-folder.ts";
import { runToEnd } from "../support/run.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { openStoreHere } from "../support/temp-store.ts";

let dataDir: string;
beforeEach(async () => {
  dataDir = tempFolder("kept");
});

/** As another process would: opened, used, closed. */
async function withStore<Result>(work: (store: Store) => Promise<Result>): Promise<Result> {
  const store = openStoreHere(dataDir);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

const idFile = () => join(dataDir, "originals", "knowledge-base-id");
const trash = () => openTrash(join(dataDir, "trash"));

function inDatabase<Result>(work: (database: DatabaseSync) => Result): Result {
  const database = new DatabaseSync(join(dataDir, "knowledge.db"));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

function loseDatabase(): void {
  for (const name of readdirSync(dataDir)) {
    if (name.startsWith("knowledge.db")) rmSync(join(dataDir, name));
  }
}

async function fill(count: number): Promise<readonly string[]> {
  const hashes = await withStore(async (store) => {
    const added: string[] = [];
    for (let at = 0; at < count; at += 1) {
      added.push((await addWithOriginal(store, dataDir, `document ${at}`)).hash);
    }
    return added;
  });
  makeOld(dataDir);
  return hashes;
}

test.each([
  ["with its id", () => {}],
  ["that has lost its id too", () => rmSync(idFile())],
])("a fresh database removes nothing from a folder of originals %s", async (_, lose) => {
  const hashes = await fill(3);
  loseDatabase();
  lose();
  // The process that creates the database, and one that finds it.
  for (let start = 0; start < 2; start += 1) {
    const { lines, health, survey } = await withStore(async (store) => ({
      ...(await tidyFolder(store, dataDir)),
      health: await store.health(),
      survey: await store.originals.survey(),
    }));
    expect(originalsIn(dataDir).toSorted()).toEqual(hashes.toSorted());
    expect(lines).toContainEqual(expect.objectContaining({ event: "ingest.sweep-stopped" }));
    expect(lines[0]?.["level"]).toBe("warn");
    expect(health.issues).toEqual([{ code: "originalsOfOther", values: [] }]);
    expect(survey.problem).toEqual(health.issues[0]);
  }
});

test("a removal leaves the file if the folder belongs to a different database", async () => {
  await fill(1);
  loseDatabase();
  await withStore(async (store) => {
    const { id, hash } = await addWithOriginal(store, dataDir, "document 0");
    await store.documents.remove(id);
    expect(await store.originals.has(hash)).toBe(true);
    await addWithOriginal(store, dataDir, "document 0");
    await store.documents.clear();
    expect(await store.originals.has(hash)).toBe(true);
  });
});

test("a missing id file is restored from the database, with a warning", async () => {
  await fill(2);
  const before = readFileSync(idFile(), "utf8");
  rmSync(idFile());
  await withStore(async (store) => {
    const { lines } = await tidyFolder(store, dataDir);
    expect(lines[0]).toMatchObject({ level: "warn", event: "store.id-restored" });
    expect(readFileSync(idFile(), "utf8")).toBe(before);
    expect((await tidyFolder(store, dataDir)).lines).toEqual([]);
  });
});

test("files left by a crash go to the trash with their name and the reason", async () => {
  const hash = await withStore(async (store) => {
    await addWithOriginal(store, dataDir, "in use");
    const left = await keepText(store, dataDir, "left behind");
    const request = { filename: "report.pdf", sizeBytes: 1, metadata: {}, forceOcr: false };
    await store.tasks.enqueue("t", { ...request, contentHash: left });
    await store.tasks.cancel("t");
    return left;
  });
  writeFileSync(join(dataDir, "originals", hash.slice(0, 2), `${sha256("x")}.a.part`), "half");
  makeOld(dataDir);
  const before = bytesIn(dataDir);
  expect(await withStore((store) => store.originals.sweep())).toMatchObject({ trashed: 2 });
  expect(await trash().list()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ hash, why: "unreferenced", filename: "report.pdf" }),
      expect.objectContaining({ hash: sha256("half"), why: "abandoned" }),
    ]),
  );
  expect(bytesIn(dataDir)).toEqual(before);
});

test("an old copy of the database moves few files to the trash, and the current one restores them", async () => {
  await fill(20);
  const old = tempFolder("old");
  await cp(dataDir, old, { recursive: true });
  const { hash } = await withStore((store) => addWithOriginal(store, dataDir, "of today"));
  makeOld(dataDir);
  const today = join(old, "today.db");
  await rename(join(dataDir, "knowledge.db"), today);
  await cp(join(old, "knowledge.db"), join(dataDir, "knowledge.db"));
  expect(await withStore((store) => store.originals.sweep())).toMatchObject({ trashed: 1 });
  expect((await trash().list()).map((item) => item.hash)).toEqual([hash]);
  await rename(today, join(dataDir, "knowledge.db"));
  expect(await withStore((store) => store.originals.sweep())).toMatchObject({ broughtBack: 1 });
  expect(originalsIn(dataDir)).toHaveLength(21);
  await rm(old, { recursive: true });
});

test("an original in the trash can still be opened if it is needed", async () => {
  const { hash } = await withStore((store) => addWithOriginal(store, dataDir, "wanted"));
  await trash().take(join(dataDir, "originals", hash.slice(0, 2), hash), { why: "unreferenced" });
  const { path } = await withStore((store) => store.originals.open(hash));
  expect(readFileSync(path, "utf8")).toBe("wanted");
});

test("many unreferenced files stop the sweep and are reported", async () => {
  await fill(30);
  const old = openDatabase(dataDir);
  old.run("DELETE FROM documents WHERE doc > 10");
  old.close();
  await withStore(async (store) => {
    const { lines } = await tidyFolder(store, dataDir);
    expect(lines[0]).toMatchObject({ level: "warn", event: "ingest.sweep-stopped" });
    const issues = [{ code: "originalsOfNone", values: ["20", "30"] }];
    expect((await store.health()).issues).toEqual(issues);
    expect(await store.originals.survey()).toMatchObject({ unreferenced: 20, inTrash: 0 });
  });
  expect(originalsIn(dataDir)).toHaveLength(30);
});

test("a clear that was interrupted by a crash is finished, however many files are left", async () => {
  await fill(15);
  await openOperations(openDatabase(dataDir)).documents.clear();
  inDatabase((database) => database.exec("UPDATE dropped_originals SET dropped_at = 4e12"));
  await withStore(async (store) => {
    // Within the hour a file may be kept again for a task that is on its way.
    expect(await store.originals.sweep()).toMatchObject({ kind: "stopped" });
    inDatabase((database) =>
      database.exec(`UPDATE dropped_originals SET dropped_at = ${Date.now() - 3_700_000}`),
    );
    expect(await store.originals.sweep()).toMatchObject({ kind: "swept", removed: 15 });
  });
  expect(originalsIn(dataDir)).toEqual([]);
});

test("the trash is emptied after 30 days on which a server ran, not by a clock that jumps", async () => {
  await withStore((store) => keepText(store, dataDir, "kept in mind"));
  const [hash = ""] = originalsIn(dataDir);
  await trash().take(join(dataDir, "originals", hash.slice(0, 2), hash), { why: "failed" });
  const later = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000);
  expect(await trash().purge(later(400))).toBe(0);
  for (let day = 1; day < 29; day += 1) expect(await trash().purge(later(day))).toBe(0);
  expect(await trash().list()).toHaveLength(1);
  expect(await trash().purge(later(29))).toBe(1);
  expect(await trash().list()).toEqual([]);
});

test.each([-20_000, -400, 0, 400, 5_000])(
  "days that were counted %i days from now do not count for a file that comes in later",
  async (from) => {
    const take = async (text: string) => {
      const path = join(dataDir, "file");
      writeFileSync(path, text);
      return trash().take(path, { why: "failed" });
    };
    const later = (days: number) => new Date(Date.now() + (from + days) * 24 * 60 * 60 * 1000);
    await take("early");
    for (let day = 1; day < 30; day += 1) expect(await trash().purge(later(day))).toBe(0);
    const late = await take("late");
    expect(await trash().purge(later(30))).toBe(1);
    expect(await trash().list()).toMatchObject([{ hash: late, why: "failed" }]);
  },
);

test("a file that a killed process had renamed for removal can still be opened", async () => {
  await withStore(async (store) => {
    const hash = await keepText(store, dataDir, "set aside");
    const path = join(dataDir, "originals", hash.slice(0, 2), hash);
    writeFileSync(`${path}.0-unfinished.part`, "set as");
    await rename(path, `${path}.1-aside.part`);
    const opened = await store.originals.open(hash);
    expect(readFileSync(opened.path, "utf8")).toBe("set aside");
    await opened.release();
  });
});

test("an empty database next to its originals is reported by doctor and status, with what to do", async () => {
  await fill(2);
  inDatabase((database) =>
    database.exec("DELETE FROM documents; UPDATE bases SET changes = changes + 1"),
  );
  for (const command of ["doctor", "status"]) {
    const { stdout } = await runToEnd({ args: [command, "--data-dir", dataDir], folder: dataDir });
    expect(stdout.replaceAll(/\s+/g, " "), command).toMatch(
      /2 of 2 original files belong to no document.*repair --force/,
    );
  }
  expect(originalsIn(dataDir)).toHaveLength(2);
});

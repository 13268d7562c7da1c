// Acknowledged means on disk, at this path: whatever happens to the files while they are open.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import { beforeEach, describe, expect, test } from "vitest";
import { packChunks } from "../../src/store/core/packed-chunks.ts";
import { openScopes } from "../../src/store/scopes/scopes.ts";
import { sql } from "../../src/store/sql.ts";
import { type Database, openDatabase } from "../../src/store/sqlite/database.ts";
import { openEngine } from "../../src/store/sqlite/engine.ts";
import { openOperations } from "../../src/store/sqlite/thread/operations.ts";
import type { Store } from "../../src/store/store.ts";
import { openTasks } from "../../src/store/tasks.ts";
import { addSample, foundTexts, sampleDocument } from "../support/sample-documents.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { openStoreAt } from "../support/temp-store.ts";

const CHILD = join(import.meta.dirname, "../support/children/sqlite-process.ts");

let folder: string;
let dataDir: string;
beforeEach(() => {
  folder = tempFolder("moved");
  dataDir = join(folder, "data");
});

async function put(database: Database, id: string): Promise<void> {
  const { documents } = openOperations(database);
  const { document, chunks } = sampleDocument([`words of ${id}`], { id });
  await documents.put(document, await packChunks(chunks));
}

const request = (contentHash: string) => ({
  contentHash,
  filename: "f",
  sizeBytes: 1,
  metadata: {},
  forceOcr: false,
});

const WRITES: Readonly<Record<string, (database: Database) => Promise<unknown>>> = {
  "a task is queued": (database) =>
    openTasks(openEngine(database)).enqueue("new-task", request("0".repeat(64))),
  "a document is stored": (database) => put(database, "new"),
  "a document is removed": (database) => openOperations(database).documents.remove("old"),
  "everything is cleared": (database) => openOperations(database).documents.clear(),
  "a scope is put": (database) =>
    openScopes(openEngine(database)).apply([
      { kind: "put-scope", scope: { id: "new", tier: "GENERAL" } },
    ]),
};

const FILES = ["knowledge.db", "knowledge.db-wal", "knowledge.db-shm"];

function moveDatabase(to: string): void {
  mkdirSync(to, { recursive: true });
  for (const name of FILES) renameSync(join(dataDir, name), join(to, name));
}

/** Another knowledge base with a log that only its open connection has: closing the old one must not take it. */
async function makeOther(at: string): Promise<Database> {
  const other = openDatabase(at);
  await put(other, "other");
  return other;
}

/** Each may leave a connection that another process has to the new file. */
const EVENTS: Readonly<Record<string, () => Promise<Database> | undefined>> = {
  "the data folder was deleted": () => void rmSync(dataDir, { recursive: true }),
  "the data folder was renamed": () => void renameSync(dataDir, join(folder, "elsewhere")),
  "the data folder was replaced by an empty one": () => {
    renameSync(dataDir, join(folder, "elsewhere"));
    mkdirSync(dataDir);
    return undefined;
  },
  "the data folder was replaced by another knowledge base": () => {
    renameSync(dataDir, join(folder, "elsewhere"));
    return makeOther(dataDir);
  },
  "the database was moved": () => void moveDatabase(join(folder, "elsewhere")),
  "the database was deleted": () => {
    for (const name of FILES) rmSync(join(dataDir, name));
    return undefined;
  },
  "the database alone was deleted": () => void rmSync(join(dataDir, "knowledge.db")),
  "its log was deleted": () => void rmSync(join(dataDir, "knowledge.db-wal")),
  "its log's index was deleted": () => void rmSync(join(dataDir, "knowledge.db-shm")),
  "another database was put in its place": () => {
    moveDatabase(join(folder, "elsewhere"));
    return makeOther(dataDir);
  },
  "an older copy was put in its place": () => {
    moveDatabase(join(folder, "elsewhere"));
    cpSync(join(folder, "older", "knowledge.db"), join(dataDir, "knowledge.db"));
    return undefined;
  },
  "the folder's link was turned elsewhere": () => {
    rmSync(dataDir);
    symlinkSync(join(folder, "second"), dataDir);
    return makeOther(dataDir);
  },
};

async function open(isLink: boolean): Promise<Database> {
  if (isLink) {
    mkdirSync(join(folder, "first"));
    mkdirSync(join(folder, "second"));
    symlinkSync(join(folder, "first"), dataDir);
  }
  const before = openDatabase(dataDir);
  await put(before, "old");
  before.close();
  mkdirSync(join(folder, "older"));
  cpSync(join(dataDir, "knowledge.db"), join(folder, "older", "knowledge.db"));
  return openDatabase(dataDir);
}

describe.each(Object.entries(EVENTS))("after %s", (event, happen) => {
  test("no write is acknowledged, and files at the path are left alone", async () => {
    const database = await open(event.includes("link"));
    const other = await happen();
    for (const [name, write] of Object.entries(WRITES)) {
      await expect(write(database), name).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
        message: expect.stringMatching(/moved, deleted or replaced.*Put the data folder back/),
      });
    }
    database.close();
    if (!other) return;
    await put(other, "after");
    const { total } = await openOperations(other).documents.list({
      limit: 9,
      offset: 0,
      sortBy: "size",
      sortOrder: "asc",
    });
    expect(total).toBe(2);
    expect(readdirSync(dataDir)).toEqual(expect.arrayContaining(FILES));
    other.close();
  });
});

test("nothing is committed to a file that is moved during the transaction", async () => {
  const database = await open(false);
  const removed = openEngine(database).write(async (db) => {
    await db.run(sql`DELETE FROM documents`);
    renameSync(dataDir, join(folder, "elsewhere"));
  });
  await expect(removed).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
  renameSync(join(folder, "elsewhere"), dataDir);
  expect((await openOperations(database).documents.totals()).documents).toBe(1);
  // Back at its path it is written to again.
  await put(database, "again");
  database.close();
});

describe("a store", () => {
  test("continues when the folder is back, and never creates a new database meanwhile", async () => {
    const store = openStoreAt(dataDir);
    await addSample(store.documents, ["first words"]);
    expect(await foundTexts(store.documents, "first")).toEqual(["first words"]);
    renameSync(dataDir, join(folder, "elsewhere"));
    await expect(addSample(store.documents, ["lost words"])).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
    });
    expect(await store.health()).toMatchObject({ connected: false, originalsAccessible: false });
    expect(await foundTexts(store.documents, "first")).toEqual(["first words"]);
    expect(readdirSync(folder)).toEqual(["elsewhere"]);
    renameSync(join(folder, "elsewhere"), dataDir);
    await addSample(store.documents, ["second words"]);
    await store.close();
  });

  test("opens a restored copy of the same knowledge base", async () => {
    const store = openStoreAt(dataDir);
    await addSample(store.documents, ["first words"]);
    await store.close();
    cpSync(join(dataDir, "knowledge.db"), join(folder, "copy.db"));
    const running = openStoreAt(dataDir);
    await addSample(running.documents, ["newer words"]);
    expect(await foundTexts(running.documents, "newer")).toHaveLength(1);
    moveDatabase(join(folder, "elsewhere"));
    renameSync(join(folder, "copy.db"), join(dataDir, "knowledge.db"));
    await addSample(running.documents, ["later words"]);
    expect(await foundTexts(running.documents, "words")).toHaveLength(2);
    await running.close();
    const after = openStoreAt(dataDir);
    expect(await foundTexts(after.documents, "words")).toHaveLength(2);
    await after.close();
  });
});

const LOGS = [["knowledge.db-wal"], ["knowledge.db-shm"], ["knowledge.db-wal", "knowledge.db-shm"]];

/** A store in a process of its own, which adds documents and closes normally. */
const addElsewhere = async (words: string): Promise<void> => {
  const line = [CHILD, dataDir, "add", words];
  await promisify(execFile)(process.execPath, line);
};

const allTexts = async (): Promise<readonly string[]> => {
  const store = openStoreAt(dataDir);
  const found = await foundTexts(store.documents, "words");
  await store.close();
  return found.toSorted();
};

describe.each(LOGS.map((names) => [names.join(" and "), names] as const))(
  "after %s was deleted under a store",
  (_, names) => {
    const deleteLog = () => {
      for (const name of names) rmSync(join(dataDir, name));
    };

    async function openUsed(): Promise<Store> {
      const store = openStoreAt(dataDir);
      await addSample(store.documents, ["first words"]);
      await foundTexts(store.documents, "first");
      await store.scopes.version();
      return store;
    }

    /** As after a thousand pages: the log holds nothing that the database lacks. */
    function writeLogBack(): void {
      const other = new DatabaseSync(join(dataDir, "knowledge.db"));
      other.exec("PRAGMA wal_checkpoint(PASSIVE)");
      other.close();
    }

    test("what another process adds survives that store's end", async () => {
      const store = await openUsed();
      writeLogBack();
      deleteLog();
      await addElsewhere("second words");
      await store.close();
      expect(await allTexts()).toEqual(["first words", "second words"]);
    });

    test("what only the deleted log has is not lost", async () => {
      const store = await openUsed();
      deleteLog();
      await store.close();
      expect(await allTexts()).toEqual(["first words"]);
    });

    test("what only the deleted log has is not lost while another process has it open", async () => {
      const store = await openUsed();
      const other = spawn(process.execPath, [CHILD, dataDir, "hold"], {
        stdio: "pipe",
      });
      await once(other.stdout, "data");
      deleteLog();
      await store.scopes.apply([{ kind: "put-scope", scope: { id: "new", tier: "GENERAL" } }]);
      await store.close();
      other.stdin.end();
      expect(await once(other, "exit")).toEqual([0, null]);
      expect(await allTexts()).toEqual(["first words"]);
    });

    test("the store continues with the new log", async () => {
      const store = await openUsed();
      writeLogBack();
      deleteLog();
      await addElsewhere("second words");
      const ids = ["team", "group"].map((id) => ({ id, tier: "GENERAL" }) as const);
      for (const scope of ids) await store.scopes.apply([{ kind: "put-scope", scope }]);
      await addSample(store.documents, ["third words"]);
      expect(await foundTexts(store.documents, "words")).toHaveLength(3);
      expect((await store.scopes.list()).map(({ id }) => id).toSorted()).toEqual(["group", "team"]);
      await addElsewhere("fourth words");
      await store.close();
      expect(await allTexts()).toHaveLength(4);
    });

    test("a thread that opens the database only then does not mix the logs", async () => {
      await addElsewhere("first words");
      const store = openStoreAt(dataDir);
      expect(await foundTexts(store.documents, "first")).toHaveLength(1);
      writeLogBack();
      deleteLog();
      await addElsewhere("second words");
      await addSample(store.documents, ["third words"]).catch(() => undefined);
      await addSample(store.documents, ["fourth words"]);
      await store.close();
      expect(await allTexts()).toEqual(
        expect.arrayContaining(["first words", "second words", "fourth words"]),
      );
    });
  },
);

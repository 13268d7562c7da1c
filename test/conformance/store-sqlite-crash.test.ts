// What a store guarantees when the process, the disk or the folder fails.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { DocumentStore } from "../../src/store/store.ts";
import { eventually } from "../support/eventually.ts";
import { addSample, foundTexts, sampleVector } from "../support/sample-documents.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { openStoreAt } from "../support/temp-store.ts";

const PROGRAM = fileURLToPath(new URL("../support/children/sqlite-process.ts", import.meta.url));
// KILLS=1000 tries more.
const KILLS = Number(process.env["KILLS"] ?? 12);
const AT_ONCE = 4;

let dataDir: string;
beforeEach(async () => {
  dataDir = tempFolder("crash");
});
afterEach(async () => {
  await chmod(dataDir, 0o700);
  await rm(dataDir, { recursive: true, force: true });
});

interface Started {
  readonly child: ChildProcess;
  readonly lines: string[];
  readonly closed: Promise<unknown[]>;
}

function start(role: string, number: number): Started {
  const child = spawn(process.execPath, [PROGRAM, dataDir, role, String(number)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines: string[] = [];
  let rest = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
  });
  return { child, lines, closed: once(child, "close") };
}

const hasStored = ({ lines }: Started) => lines.some((line) => line.startsWith("document"));

function integrity(): unknown {
  const database = new DatabaseSync(join(dataDir, "knowledge.db"));
  try {
    return database
      .prepare("PRAGMA integrity_check")
      .all()
      .map((row) => row["integrity_check"]);
  } finally {
    database.close();
  }
}

function acknowledged({ lines }: { readonly lines: readonly string[] }): string[][] {
  return lines.map((line) => line.split(" "));
}

async function expectStored(documents: DocumentStore, path: string, id: string): Promise<void> {
  // A put that was killed before its answer may have replaced the acknowledged one.
  const document = await documents.findByPath(path);
  const turn = (name: string) => Number(name.split("-")[1]);
  expect(turn(document?.id ?? "x-0")).toBeGreaterThanOrEqual(turn(id));
  const chunks = await documents.chunksOf(document?.id ?? "");
  expect(chunks).toHaveLength(document?.chunkCount ?? -1);
  const vector = sampleVector(chunks[0]?.text ?? "");
  const [hit] = await documents.nearest({ vector, limit: 1 });
  expect(hit?.key).toBe(chunks[0]?.key);
}

describe("store: sqlite under stress", () => {
  test(`nothing acknowledged is lost in ${KILLS} kills`, { timeout: 300_000 }, async () => {
    const tasks: string[] = [];
    const byPath = new Map<string, string>();
    for (let round = 0; round < KILLS; round += AT_ONCE) {
      const group = Array.from({ length: AT_ONCE }, (_, at) => start("churn", round + at));
      await eventually(() => expect(group.every(hasStored)).toBe(true));
      for (const { child } of group) {
        await pause(Math.random() * 60);
        child.kill("SIGKILL");
      }
      await Promise.all(group.map(({ closed }) => closed));
      for (const [kind, id = "", path = ""] of group.flatMap(acknowledged)) {
        if (kind === "task") tasks.push(id);
        else byPath.set(path, id);
      }
    }
    expect(integrity()).toEqual(["ok"]);
    const store = openStoreAt(dataDir);
    try {
      const kept = await Promise.all(tasks.map((id) => store.tasks.get(id)));
      expect(kept.filter((task) => task?.status !== "queued")).toEqual([]);
      expect(byPath.size).toBeGreaterThan(KILLS / 2);
      for (const [path, id] of byPath) await expectStored(store.documents, path, id);
      expect((await store.documents.totals()).documents).toBeGreaterThanOrEqual(byPath.size);
    } finally {
      await store.close();
    }
  });

  test("eight processes add and search at once and nothing is lost", async () => {
    const processes = Array.from({ length: 8 }, (_, number) => start("share", number));
    const exits = await Promise.all(processes.map(({ closed }) => closed));
    expect(exits.map(([code]) => code)).toEqual(Array(8).fill(0));
    const store = openStoreAt(dataDir);
    try {
      expect(await store.documents.totals()).toMatchObject({ documents: 80, chunks: 160 });
      const { frequencies } = await store.documents.termStatistics(["shared", "more", "w3"]);
      expect([...frequencies.values()]).toEqual([80, 80, 10]);
      expect(await store.tasks.counts()).toMatchObject({ queued: 80 });
      expect(await store.scopes.list()).toHaveLength(80);
    } finally {
      await store.close();
    }
    expect(integrity()).toEqual(["ok"]);
  });

  test("a full disk refuses the document and leaves nothing of it behind", async ({ skip }) => {
    const store = openStoreAt(dataDir);
    await addSample(store.documents, ["small words"]);
    await store.close();
    const full = await fullDisk(dataDir);
    if (!full) return skip("this user may not mount a small file system");
    try {
      const crowded = openStoreAt(full.folder);
      const large = Array.from({ length: 4000 }, (_, at) => `filler ${at} ${"x".repeat(800)}`);
      await expect(addSample(crowded.documents, large)).rejects.toMatchObject({
        code: "STORE_FULL",
      });
      expect(await foundTexts(crowded.documents, "filler")).toEqual([]);
      expect(await foundTexts(crowded.documents, "small")).toEqual(["small words"]);
      expect(await crowded.documents.totals()).toMatchObject({ documents: 1, chunks: 1 });
      await crowded.close();
    } finally {
      await full.release();
    }
  });

  test("a read-only folder still serves searches", async () => {
    const store = openStoreAt(dataDir);
    await addSample(store.documents, ["readable words"]);
    await store.close();
    await chmod(join(dataDir, "knowledge.db"), 0o444);
    await chmod(dataDir, 0o555);
    const { closed, lines } = start("look", 0);
    const [code] = await closed;
    expect(code).toBe(0);
    expect(JSON.parse(lines[0] ?? "{}")).toEqual({
      put: "STORE_UNAVAILABLE",
      found: ["readable words"],
      issues: [
        { code: "readOnly", values: [] },
        { code: "storageDenied", values: [] },
      ],
    });
  });

  test("a process that may only read sees what others write, also if it started first", async () => {
    const store = openStoreAt(dataDir);
    await addSample(store.documents, ["first words"]);
    await store.close();
    // The owner keeps its files to itself; here another user may read them, as on a disk that is mounted read-only.
    await chmod(join(dataDir, "knowledge.db"), 0o644);
    await chmod(dataDir, 0o755);
    const { child, closed, lines } = start("follow", 0);
    await eventually(() => expect(lines).toHaveLength(1));
    const writer = openStoreAt(dataDir);
    await addSample(writer.documents, ["second words"]);
    const scope = { id: "team", tier: "GENERAL" } as const;
    await writer.scopes.apply([{ kind: "put-scope", scope }]);
    for (const name of ["knowledge.db", "knowledge.db-wal", "knowledge.db-shm"]) {
      await chmod(join(dataDir, name), 0o644);
    }
    child.stdin?.write("again\n");
    await eventually(() => expect(lines).toHaveLength(2));
    await writer.close();
    child.stdin?.end("again\n");
    expect((await closed)[0]).toBe(0);
    const [before, during, after] = lines.map((line) => JSON.parse(line));
    expect(before).toMatchObject({ found: ["first words"] });
    expect(during.found).toEqual(["first words", "second words"]);
    expect(during.version).toBeGreaterThan(before.version);
    expect(after).toEqual(during);
  });

  test("a process that could only read at first writes once it may, without a restart", async () => {
    const owner = openStoreAt(dataDir);
    await addSample(owner.documents, ["first words"]);
    const files = ["knowledge.db", "knowledge.db-wal", "knowledge.db-shm", "lock.db"];
    for (const name of files) await chmod(join(dataDir, name), 0o644);
    await chmod(dataDir, 0o755);
    const { child, closed, lines } = start("add-later", 0);
    await eventually(() => expect(lines).toHaveLength(1));
    child.stdin?.write("early\n");
    await eventually(() => expect(lines).toHaveLength(2));
    for (const name of files) await chmod(join(dataDir, name), 0o666);
    await chmod(dataDir, 0o777);
    child.stdin?.end("late\n");
    expect((await closed)[0]).toBe(0);
    expect(lines).toEqual(['["first words"]', "STORE_UNAVAILABLE", "stored"]);
    expect((await owner.scopes.list()).map(({ id }) => id)).toEqual(["late"]);
    await owner.close();
  });

  test("what is only in the log is not left out where the log cannot be read", async () => {
    const writer = openStoreAt(dataDir);
    await addSample(writer.documents, ["words"]);
    const copy = join(dataDir, "copy");
    await mkdir(copy);
    for (const name of ["knowledge.db", "knowledge.db-wal", "lock.db"]) {
      await cp(join(dataDir, name), join(copy, name));
      await chmod(join(copy, name), 0o444);
    }
    await writer.close();
    await chmod(copy, 0o555);
    await chmod(dataDir, 0o755);
    dataDir = copy;
    const { closed, lines } = start("look", 0);
    await closed;
    expect(lines.join()).toContain("still in knowledge.db-wal");
  });

  test("a damaged database is reported as damaged, with a remedy", async () => {
    await writeFile(
      join(dataDir, "knowledge.db"),
      "this is no database, it only looks like a file ".repeat(99),
    );
    const store = openStoreAt(dataDir);
    await expect(store.documents.totals()).rejects.toMatchObject({ code: "STORE_CORRUPT" });
    expect((await store.health()).connected).toBe(false);
    await store.close();
  });

  test("a truncated database is reported as damaged", async () => {
    const store = openStoreAt(dataDir);
    await addSample(
      store.documents,
      Array.from({ length: 200 }, (_, at) => `words ${at}`),
    );
    await store.close();
    await truncate(join(dataDir, "knowledge.db"), 40_960);
    const cut = openStoreAt(dataDir);
    await expect(foundTexts(cut.documents, "words")).rejects.toMatchObject({
      code: "STORE_CORRUPT",
    });
    await cut.close();
  });

  test("a database of a newer version is refused, also while it is open", async () => {
    const store = openStoreAt(dataDir);
    await addSample(store.documents, ["old words"]);
    const database = new DatabaseSync(join(dataDir, "knowledge.db"));
    database.exec("PRAGMA user_version = 999");
    database.close();
    await expect(addSample(store.documents, ["new"])).rejects.toMatchObject({
      code: "STORE_TOO_NEW",
    });
    await store.close();
    const older = openStoreAt(dataDir);
    await expect(older.documents.totals()).rejects.toMatchObject({ code: "STORE_TOO_NEW" });
    await older.close();
  });

  test("stores that open a new folder at once all succeed", async () => {
    const stores = Array.from({ length: 6 }, () => openStoreAt(dataDir));
    await Promise.all(stores.map((store, at) => addSample(store.documents, [`words ${at}`])));
    expect(await foundTexts((stores[0] as (typeof stores)[0]).documents, "words")).toHaveLength(6);
    await Promise.all(stores.map((store) => store.close()));
  });
});

/** A file system of a few megabytes with a copy of the folder, where this user may mount one. */
async function fullDisk(
  from: string,
): Promise<{ folder: string; release(): Promise<void> } | undefined> {
  const folder = tempFolder("full");
  const run = async (command: string, ...args: string[]) => {
    const [code] = await once(spawn(command, args, { stdio: "ignore" }), "close").catch(() => [1]);
    return code === 0;
  };
  const release = async () => {
    await run("umount", folder);
    await rm(folder, { recursive: true, force: true });
  };
  if (!(await run("mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", folder))) {
    await release();
    return undefined;
  }
  await cp(from, folder, { recursive: true });
  return { folder, release };
}

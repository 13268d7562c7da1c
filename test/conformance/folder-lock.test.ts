// Servers and maintenance on one data folder, each in a process of its own.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { tryFileLock } from "../../src/store/sqlite/folder/file-lock.ts";
import { liveHolders } from "../../src/store/sqlite/folder/holders.ts";
import { lockExclusive, lockShared } from "../../src/store/sqlite/folder/lock.ts";
import { tempFolder } from "../support/temp-folder.ts";

const PROGRAM = fileURLToPath(new URL("./children/hold-folder.ts", import.meta.url));

let dataDir: string;
const children: ChildProcess[] = [];
beforeEach(async () => {
  dataDir = tempFolder("lock");
});
afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  await rm(dataDir, { recursive: true, force: true });
});

async function start(command: "http" | "repair"): Promise<ChildProcess> {
  const child = spawn(process.execPath, [PROGRAM, dataDir, command], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  await once(child.stdout as NodeJS.ReadableStream, "data");
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.signalCode !== null || child.exitCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

test("several servers share a folder; maintenance names them all, until the last is killed", async () => {
  const [one, two] = await Promise.all([start("http"), start("http")]);
  const own = openDatabase(dataDir);
  own.close();
  const refusal = () => lockExclusive(dataDir, "repair");
  expect(refusal).toThrow(expect.objectContaining({ code: "STORE_IN_USE" }));
  expect(refusal).toThrow(`process ${one.pid},`);
  expect(refusal).toThrow(`process ${two.pid},`);
  await kill(one);
  expect(refusal).toThrow(/in use by 'knowledge-server http'/);
  expect(refusal).not.toThrow(`process ${one.pid},`);
  await kill(two);
  lockExclusive(dataDir, "repair").release();
});

test("nothing opens the folder during maintenance, and everything does after maintenance is killed", async () => {
  const repair = await start("repair");
  const refusal = expect.objectContaining({
    code: "STORE_UNAVAILABLE",
    message: expect.stringContaining(`process ${repair.pid},`),
  });
  expect(() => lockShared(dataDir, "http")).toThrow(refusal);
  expect(() => openDatabase(dataDir)).toThrow(refusal);
  expect(() => lockExclusive(dataDir, "restore")).toThrow(
    expect.objectContaining({ code: "STORE_IN_USE" }),
  );
  expect(readdirSync(dataDir)).not.toContain("knowledge.db");
  await kill(repair);
  openDatabase(dataDir).close();
  lockShared(dataDir, "http").release();
});

test("an open database in the same process also prevents maintenance", () => {
  const database = openDatabase(dataDir);
  expect(() => lockExclusive(dataDir, "repair")).toThrow(/in use by another process/);
  database.close();
  lockExclusive(dataDir, "repair").release();
});

test("the lock file stays empty and private, and no name is left behind", async () => {
  const held = lockShared(dataDir, "http");
  expect(liveHolders(dataDir)).toMatchObject([{ pid: process.pid, command: "http", alone: false }]);
  held.release();
  lockExclusive(dataDir, "repair").release();
  const { size, mode } = statSync(join(dataDir, "lock.db"));
  expect([size, mode & 0o777]).toEqual([0, 0o600]);
  expect(readdirSync(dataDir).sort()).toEqual(["lock.db", "processes"]);
  expect(readdirSync(join(dataDir, "processes"))).toEqual([]);
});

test("entries of dead processes, reused process ids and garbage are ignored", async () => {
  const folder = join(dataDir, "processes");
  const child = await start("http");
  const [name = ""] = readdirSync(folder);
  await kill(child);
  expect(liveHolders(dataDir)).toEqual([]);
  // Its process id was reused.
  writeFileSync(join(folder, name.replace(/^\d+/, String(process.pid))), "");
  writeFileSync(join(folder, name.replace(/^\d+/, "2")), "not a lock file ".repeat(100));
  await mkdir(join(folder, name.replace(/^\d+/, "3")));
  const evil = join(folder, name.replace("http", "\u001b[2Jhttp"));
  const locks = [evil, join(folder, "x")].map((path) => tryFileLock(path));
  expect(liveHolders(dataDir)).toEqual([]);
  for (const lock of locks) lock?.release();
});

test("the entry of a dead process is removed by a later one", async () => {
  const folder = join(dataDir, "processes");
  await kill(await start("http"));
  const [left = ""] = readdirSync(folder);
  lockShared(dataDir, "http").release();
  expect(readdirSync(folder)).toEqual([left]);
  utimesSync(join(folder, left), 0, 0);
  lockShared(dataDir, "http").release();
  expect(readdirSync(folder)).toEqual([]);
});

test("a lock file that is not empty is reported with a remedy", () => {
  writeFileSync(join(dataDir, "lock.db"), "no lock ".repeat(200));
  expect(() => openDatabase(dataDir)).toThrow(/delete lock\.db/);
  expect(() => lockExclusive(dataDir, "repair")).toThrow(/delete lock\.db/);
});

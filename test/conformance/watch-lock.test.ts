// The lock of a watched folder: never two owners, whatever became of the last one.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeEach, expect, test } from "vitest";
import { takeLock } from "../../src/ingest/sources/folder/watch.ts";
import { isFileLocked, tryFileLock } from "../../src/store/sqlite/folder/file-lock.ts";
import { tempFolder } from "../support/temp-folder.ts";

const CHILD = fileURLToPath(new URL("./children/take-watch-lock.ts", import.meta.url));
const ROUNDS = 100;
const CONTENDERS = 8;
const locks = { take: tryFileLock, isTaken: isFileLocked };

let path: string;
beforeEach(() => {
  path = join(tempFolder("watch-lock"), "folders", "x.json.lock.db");
});

const line = (rounds: string) => [CHILD, path, rounds];

async function abandon(): Promise<void> {
  const child = spawn(process.execPath, line("hold"), { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(child, "exit");
  try {
    await once(child.stdout, "data");
    expect(isFileLocked(path)).toBe(true);
    expect(tryFileLock(path)).toBeUndefined();
  } finally {
    child.kill("SIGKILL");
    await exited;
  }
}

test("an abandoned lock is free at once, and processes that contend for it own it one by one", async () => {
  await abandon();
  expect(isFileLocked(path)).toBe(false);
  const run = () => promisify(execFile)(process.execPath, line(String(ROUNDS)));
  await Promise.all([run(), run(), run()]);
  expect(isFileLocked(path)).toBe(false);
});

test("of several that wait in one process, one owns an abandoned lock in every round", async () => {
  await abandon();
  for (let round = 0; round < ROUNDS; round += 1) {
    const stop = new AbortController();
    const isBusy = Promise.withResolvers<void>();
    const take = () =>
      takeLock(path, { locks, signal: stop.signal, onBusy: isBusy.resolve }).catch(() => undefined);
    const contenders = Array.from({ length: CONTENDERS }, take);
    await isBusy.promise;
    stop.abort();
    const owners = (await Promise.all(contenders)).filter((lock) => lock !== undefined);
    expect(owners).toHaveLength(1);
    expect(isFileLocked(path)).toBe(true);
    for (const owner of owners) owner.release();
  }
});

test("a lock that was released is not released again, or kept alive, by its old owner", () => {
  const old = tryFileLock(path);
  old?.release();
  const next = tryFileLock(path);
  expect(next).toBeDefined();
  expect(() => old?.release()).toThrow();
  expect(isFileLocked(path)).toBe(true);
  expect(tryFileLock(path)).toBeUndefined();
  next?.release();
  expect(isFileLocked(path)).toBe(false);
});

test("a lock file with text in it is reported with a remedy", () => {
  tryFileLock(path)?.release();
  writeFileSync(path, "no lock ".repeat(200));
  expect(() => tryFileLock(path)).toThrow(/delete x\.json\.lock\.db/);
});

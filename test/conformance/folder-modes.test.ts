// Only the owner can read a knowledge base, regardless of the umask.
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeEach, expect, test } from "vitest";
import { tempFolder } from "../support/temp-folder.ts";
import { openStoreAt } from "../support/temp-store.ts";

const PROGRAM = fileURLToPath(new URL("./children/fill-folder.ts", import.meta.url));
const PRIVATE = {
  "knowledge.db": 0o600,
  "knowledge.db-wal": 0o600,
  "knowledge.db-shm": 0o600,
  "originals/knowledge-base-id": 0o600,
  originals: 0o700,
  incoming: 0o700,
  folders: 0o700,
  trash: 0o700,
};

let folder: string;
let dataDir: string;
beforeEach(() => {
  folder = tempFolder("modes");
  dataDir = join(folder, "data");
});

const modeOf = (path: string) => statSync(join(dataDir, path)).mode & 0o777;

test.each(["000", "022"])("everything is private under umask %s", async (mask) => {
  // It is killed by its own hand, so that the log stays as it was while it was open.
  const line = `umask ${mask}; exec "$0" "$@"`;
  const args = ["-c", line, process.execPath, PROGRAM, dataDir, folder];
  const { stdout } = await promisify(execFile)("sh", args);
  const modes = JSON.parse(stdout) as Record<string, number>;
  const open = Object.entries(modes).filter(([, mode]) => (mode & 0o077) !== 0);
  expect(open).toEqual([]);
  expect(Object.keys(modes)).toEqual(expect.arrayContaining(Object.keys(PRIVATE)));
  expect(Object.keys(modes).filter((name) => /[0-9a-f]{64}$/.test(name))).toHaveLength(2);
});

test("files that an earlier version left readable become private when opened", async () => {
  const before = openStoreAt(dataDir);
  await before.documents.totals();
  for (const name of ["incoming", "folders", "trash"]) mkdirSync(join(dataDir, name));
  writeFileSync(join(dataDir, "readme.txt"), "not the program's");
  for (const name of Object.keys(PRIVATE)) {
    if (!name.includes("/")) chmodSync(join(dataDir, name), name.includes(".") ? 0o644 : 0o755);
  }
  chmodSync(join(dataDir, "readme.txt"), 0o644);
  const store = openStoreAt(dataDir);
  await store.documents.totals();
  for (const [name, mode] of Object.entries(PRIVATE)) {
    expect([name, modeOf(name)]).toEqual([name, mode]);
  }
  expect(modeOf("readme.txt")).toBe(0o644);
  await store.close();
  await before.close();
});

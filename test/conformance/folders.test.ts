// If a watched folder cannot be read, in whole or in part, nothing is removed.
import { chmod, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTrash } from "../../src/store/core/trash.ts";
import { type TempIngest, tempIngest } from "../support/temp-ingest.ts";

const NOBODY = 65_534;

let at: TempIngest;
let root: string;

beforeEach(async () => {
  at = await tempIngest();
  root = join(at.root, "watched");
  await mkdir(join(root, "inner"), { recursive: true });
  await writeFile(join(root, "outer.txt"), "The outer note.");
  await writeFile(join(root, "inner", "inner.txt"), "The inner note.");
});
afterEach(() => at.dispose());

const { signal } = new AbortController();

async function open() {
  const { sources, finish } = at.ingest;
  const id = await sources.put({ kind: "folder", address: root, settings: {} });
  const sync = async () => {
    const { failure } = await finish((await sources.sync(id, signal)).id, { signal });
    if (failure) throw new Error(failure.message);
  };
  await sync();
  return { sync };
}

const count = async () => (await at.store.documents.totals()).documents;

test("a lost mount that leaves an empty folder removes nothing", async () => {
  const folder = await open();
  expect(await count()).toBe(2);
  await rename(root, `${root}-away`);
  await expect(folder.sync()).rejects.toThrow();
  await mkdir(root);
  await folder.sync();
  expect(await count()).toBe(2);
  await rm(root, { recursive: true });
  await rename(`${root}-away`, root);
  await rm(join(root, "outer.txt"));
  await folder.sync();
  expect(await count()).toBe(1);
  // Whoever deleted the file may have done so by mistake: it stays in the trash for a month.
  expect(await openTrash(join(at.temp.dataDir, "trash")).list()).toEqual([
    expect.objectContaining({ why: "left-folder", filename: "outer.txt" }),
  ]);
});

test("an unreadable subfolder removes nothing, and files missing elsewhere are removed", async () => {
  const folder = await open();
  const [inner, outer] = [join(root, "inner"), join(root, "outer.txt")];
  await writeFile(join(root, "third.txt"), "The third note.");
  await folder.sync();
  expect(await count()).toBe(3);
  await rm(outer);
  await chmod(inner, 0o000);
  try {
    await withoutPrivilege(() => folder.sync());
  } finally {
    await chmod(inner, 0o755);
  }
  expect(await count()).toBe(2);
  await folder.sync();
  expect(await count()).toBe(2);
});

test("a root that cannot be read is reported, and removes nothing", async () => {
  const folder = await open();
  await chmod(root, 0o000);
  try {
    await expect(withoutPrivilege(() => folder.sync())).rejects.toThrow(/no permission to read/);
  } finally {
    await chmod(root, 0o755);
  }
  expect(await count()).toBe(2);
});

/** Root can read every folder, so these tests run as an unprivileged user. */
async function withoutPrivilege<T>(work: () => Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return work();
  const all = await readdir(at.temp.dataDir, { withFileTypes: true, recursive: true });
  const own = all
    .filter((entry) => entry.isDirectory())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !path.startsWith(at.root));
  for (const path of [...own, at.temp.dataDir]) await chmod(path, 0o777);
  process.seteuid?.(NOBODY);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

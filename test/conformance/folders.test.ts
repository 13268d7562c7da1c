// A watched folder that cannot be looked at, in whole or in part: nothing is removed for that.
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openFolder } from "../../src/ingest/folder.ts";
import { openLog } from "../../src/observe/log.ts";
import { type TempIngest, tempIngest } from "../support/temp-ingest.ts";

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

async function open() {
  const folder = await openFolder({
    root,
    ledgerPath: join(at.temp.dataDir, "ledger.json"),
    documents: at.store.documents,
    ingest: at.ingest,
    signal: new AbortController().signal,
    log: openLog({ level: "silent" }),
  });
  await folder.settle();
  return folder;
}

const count = async () => (await at.store.documents.totals()).documents;

test("a mount that went away and left an empty folder removes nothing", async () => {
  const folder = await open();
  expect(await count()).toBe(2);
  await rename(root, `${root}-away`);
  await expect(folder.settle()).rejects.toThrow();
  await mkdir(root);
  await folder.settle();
  expect(await count()).toBe(2);
  await rm(root, { recursive: true });
  await rename(`${root}-away`, root);
  await rm(join(root, "outer.txt"));
  await folder.settle();
  expect(await count()).toBe(1);
});

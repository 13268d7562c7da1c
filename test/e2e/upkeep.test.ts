// Backup, restore and repair through the command line, on a knowledge base with real files.
import { execFile } from "node:child_process";
import { mkdir, open, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { PROGRAM } from "../support/shipped.ts";
import { tempFolder } from "../support/temp-folder.ts";

let folder: string;
let dataDir: string;

async function run(...args: string[]): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, ...args, "--json"], {
    cwd: folder,
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout);
}

const search = async (words: string, at = dataDir) =>
  (await run("search", words, "--data-dir", at)) as {
    readonly results: readonly { readonly filename: string }[];
  };

beforeAll(async () => {
  folder = tempFolder("upkeep");
  dataDir = join(folder, "data");
  await mkdir(join(folder, "files"));
  for (let at = 0; at < 12; at += 1) {
    const lines = Array.from(
      { length: 40 },
      (_, line) => `Paragraph ${line} of report ${at} on rivers.\n`,
    );
    await writeFile(
      join(folder, "files", `report-${at}.md`),
      `# Report ${at}\n\n${lines.join("\n")}`,
    );
  }
  await writeFile(
    join(folder, "files", "heron.txt"),
    "The heron stands still in the shallow water.\n",
  );
  await writeFile(
    join(folder, "rules.yaml"),
    "scopes: [{id: general, tier: GENERAL, categories: {git: {description: Git, entries: {commit: Say why.}}}}]",
  );
  await run("add", join(folder, "files"), "--data-dir", dataDir);
  await run("scopes", "import", join(folder, "rules.yaml"), "--data-dir", dataDir);
});

test("a backup restored elsewhere gives the same results", async () => {
  const file = join(folder, "kb.backup");
  expect(await run("backup", file, "--data-dir", dataDir)).toMatchObject({
    documents: 13,
    originals: 13,
    withoutOriginal: 0,
    scopes: 1,
  });
  const restored = join(folder, "restored");
  expect(await run("restore", file, "--data-dir", restored)).toMatchObject({
    documents: 13,
    originals: 13,
  });
  expect((await search("heron water", restored)).results[0]?.filename).toBe("heron.txt");
});

test("a restore over a knowledge base is refused", async () => {
  await expect(run("restore", join(folder, "kb.backup"), "--data-dir", dataDir)).rejects.toThrow(
    /already contains/,
  );
});

test("a damaged backup is refused before anything is written", async () => {
  const file = join(folder, "bad.backup");
  await run("backup", file, "--data-dir", dataDir);
  await scratch(file, 0.5);
  const target = join(folder, "never");
  await expect(run("restore", file, "--data-dir", target)).rejects.toThrow(/damaged|no backup/);
  expect(await readdir(target).catch(() => [])).not.toContain("knowledge.db");
});

test("repair leaves an intact database alone", async () => {
  expect(await run("repair", "--data-dir", dataDir)).toMatchObject({ damage: [], queued: 0 });
});

test("a damaged database is repaired: documents keep their ids, and are found again", async () => {
  const before = await ids();
  await scratch(join(dataDir, "knowledge.db"), 0.3);
  await scratch(join(dataDir, "knowledge.db"), 0.6);
  const report = (await run("repair", "--data-dir", dataDir)) as Record<string, unknown>;
  expect(report["damage"]).not.toEqual([]);
  expect(report).toMatchObject({ failed: 0 });
  expect(await ids()).toEqual(before);
  expect((await search("heron water")).results[0]?.filename).toBe("heron.txt");
});

async function ids(): Promise<readonly string[]> {
  const { documents } = (await run("show", "--limit", "50", "--data-dir", dataDir)) as {
    documents: readonly { readonly document_id: string }[];
  };
  return documents.map(({ document_id }) => document_id).sort();
}

/** Overwrites three pages with noise. */
async function scratch(path: string, at: number): Promise<void> {
  const { size } = await stat(path);
  const file = await open(path, "r+");
  await file.write(Buffer.alloc(12_288, 0x5a), 0, 12_288, Math.floor((size * at) / 4096) * 4096);
  await file.close();
}

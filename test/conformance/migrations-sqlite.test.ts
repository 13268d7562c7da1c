// Data folders of older versions, at every step of their upgrade: an empty file, and a folder that a made-up version adds
// a table to.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { SQLITE_MIGRATIONS } from "../../src/store/schema.ts";
import { fillFolder } from "../support/filled-folder.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { MADE_UP } from "./children/open-folder.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const MIGRATIONS = [...SQLITE_MIGRATIONS, MADE_UP];
/** Every schema before the newest, and the empty file before the first. */
const OLDER = MIGRATIONS.map((_, version) => version);

let base: string;
beforeAll(async () => {
  base = tempFolder("upgrades");
  for (const version of OLDER) {
    const folder = join(base, `schema-${version}`);
    await mkdir(folder);
    if (version === 0) await writeFile(join(folder, "knowledge.db"), "");
    else await fillFolder(folder);
  }
});

async function copyOf(version: number, name: string): Promise<string> {
  const dataDir = join(base, name);
  await rm(dataDir, { recursive: true, force: true });
  await cp(join(base, `schema-${version}`), dataDir, { recursive: true });
  return dataDir;
}

/** How it ended, and how many statements it ran. */
async function openInProcess(dataDir: string, killAt = 0) {
  const preload = here("../support/preloads/kill-at-exec.ts");
  const child = spawn(process.execPath, ["--import", preload, here("./children/open-folder.ts")], {
    env: { PATH: process.env["PATH"], DATA_DIR: dataDir, KILL_AT_EXEC: String(killAt) },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const output = child.stdout.setEncoding("utf8").toArray();
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  return { end: signal ?? code, statements: Number((await output).join("")) };
}

/** The schema's text and version. */
function shapeOf(dataDir: string): readonly unknown[] {
  const database = new DatabaseSync(join(dataDir, "knowledge.db"), { readOnly: true });
  try {
    const tables = database.prepare("SELECT name, sql FROM sqlite_schema ORDER BY name").all();
    return [database.prepare("PRAGMA user_version").get(), tables];
  } finally {
    database.close();
  }
}

/** Some steps from the first to the last, every one with FUZZ_LONG. */
function steps(statements: number): readonly number[] {
  const all = Array.from({ length: statements }, (_, at) => at + 1);
  return process.env["FUZZ_LONG"] ? all : all.filter((at) => at % Math.ceil(statements / 6) === 0);
}

describe.each(OLDER)("migrations: sqlite, from schema %i", (version) => {
  test("an upgrade that is killed at any step continues at the next start", async () => {
    const whole = await copyOf(version, `whole-${version}`);
    const { statements } = await openInProcess(whole);
    const upgraded = shapeOf(whole);
    expect(upgraded[0]).toMatchObject({ user_version: MIGRATIONS.length });
    for (const at of steps(statements)) {
      const dataDir = await copyOf(version, `killed-${version}`);
      expect((await openInProcess(dataDir, at)).end).toBe("SIGKILL");
      expect((await openInProcess(dataDir)).end).toBe(0);
      expect(shapeOf(dataDir)).toEqual(upgraded);
    }
  });

  test("processes that upgrade a folder at once all find it complete", async () => {
    const dataDir = await copyOf(version, `shared-${version}`);
    const ends = await Promise.all([1, 2, 3].map(() => openInProcess(dataDir)));
    expect(ends.map(({ end }) => end)).toEqual([0, 0, 0]);
    expect(shapeOf(dataDir)[0]).toMatchObject({ user_version: MIGRATIONS.length });
  });
});

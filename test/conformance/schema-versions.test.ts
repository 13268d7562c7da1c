// Folders of other versions of the program: older ones are opened, newer ones are refused and stay byte-identical.
import { execFileSync } from "node:child_process";
import { cpSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { MIGRATIONS } from "../../src/store/sqlite/schema.ts";
import { argumentsOf, runCommand } from "../support/commands.ts";
import { fingerprint } from "../support/damaged-folder.ts";
import { foundTexts } from "../support/sample-documents.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { openStoreAt } from "../support/temp-store.ts";

/** One archive for each schema that was ever released: a folder with documents, tasks and rules. */
const STORED = [1];

let base: string;
beforeAll(async () => {
  base = tempFolder("versions");
  for (const version of STORED) unpack(version);
});

function unpack(version: number): void {
  const archive = new URL(`../fixtures/folders/schema-${version}.tar.gz`, import.meta.url);
  execFileSync("tar", ["xzf", fileURLToPath(archive), "-C", base]);
  cpSync(join(base, "data"), join(base, `schema-${version}`), { recursive: true });
  rmSync(join(base, "data"), { recursive: true });
}

test("there is a stored folder for every released schema", () => {
  expect(STORED).toEqual(MIGRATIONS.slice(0, STORED.length).map((_, at) => at + 1));
});

describe.each(STORED)("schema %i", (version) => {
  test("is opened with all its content", async () => {
    const dataDir = join(base, `opened-${version}`);
    cpSync(join(base, `schema-${version}`), dataDir, { recursive: true });
    const store = openStoreAt(dataDir);
    try {
      const page = { limit: 10, offset: 0, sortBy: "filename", sortOrder: "asc" } as const;
      const { documents } = await store.documents.list(page);
      expect(documents.map(({ filename, metadata }) => [filename, metadata])).toEqual([
        ["herons.md", { year: 2025, tags: ["birds"] }],
        ["kingfisher.txt", { year: 2025, tags: ["birds"] }],
        ["rivers.csv", {}],
      ]);
      expect(await foundTexts(store.documents, "heron")).toHaveLength(1);
      for (const { contentHash } of documents)
        expect(await store.originals.has(contentHash)).toBe(true);
      const open = await store.tasks.list({ limit: 10, open: true });
      expect(open.map(({ request }) => [request.filename, request.metadata]).sort()).toEqual([
        ["scan.md", { project: "water", nested: { page: 1 } }],
        ["waiting.txt", { project: "water", nested: { page: 1 } }],
      ]);
      const [rules] = await store.scopes.chain("shop");
      expect(rules?.entries).toEqual([
        { category: "git", keyword: "commit", content: "Name the ticket." },
      ]);
    } finally {
      await store.close();
    }
  });

  test("is reported intact by repair", async () => {
    const dataDir = join(base, `repaired-${version}`);
    cpSync(join(base, `schema-${version}`), dataDir, { recursive: true });
    const { text } = await runCommand({ name: "repair", args: [], options: {}, dataDir });
    expect(text).toMatch(/intact/);
  });
});

const OPTIONS = { yes: true, force: true, from: "sqlite", to: "postgres" };
/** Commands that never use the folder. */
const APART = ["version", "help", "completion"];

describe.each(["in the file", "in the log"])("a newer schema, %s", (where) => {
  test.each(Object.keys(COMMANDS))("is refused by '%s' without changing a byte", async (name) => {
    const dataDir = join(base, `newer-${where.slice(-4)}-${name}`);
    cpSync(join(base, "schema-1"), dataDir, { recursive: true });
    makeNewer(dataDir, where);
    const file = join(base, "note.txt");
    writeFileSync(file, "A note on herons.");
    const before = fingerprint(dataDir);
    const args = argumentsOf(name, { file, backup: join(base, "kb.backup") });
    const result = await runCommand({ name, args, options: OPTIONS, dataDir }).catch(
      ({ code }: { code: string }) => ({ code, text: "" }),
    );
    if (name === "doctor") expect(result.text).toMatch(/→ Update knowledge-server/);
    if (!APART.includes(name)) expect(result.code).toBe(name === "doctor" ? 1 : "STORE_TOO_NEW");
    expect(fingerprint(dataDir)).toEqual(before);
  });
});

function makeNewer(dataDir: string, where: string): void {
  const path = join(dataDir, "knowledge.db");
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA user_version = ${MIGRATIONS.length + 1}`);
  // As a newer program leaves it when it is killed: SQLite writes a log back when it is closed.
  if (where === "in the log") for (const name of ["db", "db-wal"]) keep(dataDir, name);
  database.close();
  if (where === "in the log") for (const name of ["db", "db-wal"]) bringBack(dataDir, name);
}

function keep(dataDir: string, name: string): void {
  cpSync(join(dataDir, `knowledge.${name}`), `${dataDir}.${name}`);
}

function bringBack(dataDir: string, name: string): void {
  cpSync(`${dataDir}.${name}`, join(dataDir, `knowledge.${name}`));
}

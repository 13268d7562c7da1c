// Folders that a newer version of the program has upgraded are refused and stay byte-identical. With the first release,
// a folder of each released schema is stored and opened here.
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { SQLITE_MIGRATIONS } from "../../src/store/schema.ts";
import { argumentsOf, runCommand } from "../support/commands.ts";
import { fingerprint } from "../support/damaged-folder.ts";
import { fillFolder } from "../support/filled-folder.ts";
import { tempFolder } from "../support/temp-folder.ts";

let base: string;
beforeAll(async () => {
  base = tempFolder("versions");
  await fillFolder(join(base, "filled"));
});

const OPTIONS = { yes: true, force: true, from: "sqlite", to: "postgres", scope: "general" };
/** Commands that never use the folder, or never fail. */
const APART = ["version", "help", "completion", "hook", "models"];

describe.each(["in the file", "in the log"])("a newer schema, %s", (where) => {
  test.each(Object.keys(COMMANDS))("is refused by '%s' without changing a byte", async (name) => {
    const dataDir = join(base, `newer-${where.slice(-4)}-${name}`);
    cpSync(join(base, "filled"), dataDir, { recursive: true });
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

test.each(Object.keys(COMMANDS))(
  "other tables under the same version are refused by '%s'",
  async (name) => {
    const dataDir = join(base, `other-${name}`);
    cpSync(join(base, "filled"), dataDir, { recursive: true });
    const database = new DatabaseSync(join(dataDir, "knowledge.db"));
    database.exec("PRAGMA application_id = 0");
    database.close();
    const file = join(base, "note.txt");
    writeFileSync(file, "A note on herons.");
    const before = fingerprint(dataDir);
    const args = argumentsOf(name, { file, backup: join(base, "kb.backup") });
    const result = await runCommand({ name, args, options: OPTIONS, dataDir }).catch(
      ({ code, message }: { code: string; message: string }) => ({ code, text: message }),
    );
    if (APART.includes(name)) return;
    expect(result.code).toBe(name === "doctor" ? 1 : "STORE_UNAVAILABLE");
    expect(result.text).toMatch(/choose an empty folder with --data-dir/);
    expect(fingerprint(dataDir)).toEqual(before);
  },
);

function makeNewer(dataDir: string, where: string): void {
  const path = join(dataDir, "knowledge.db");
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA user_version = ${SQLITE_MIGRATIONS.length + 1}`);
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

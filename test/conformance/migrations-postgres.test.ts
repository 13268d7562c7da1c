// A database at every step of its first upgrade and of one that is made up; newer ones are refused and left as they are.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Sql } from "postgres";
import { afterAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { POSTGRES_MIGRATIONS } from "../../src/store/schema.ts";
import { argumentsOf, runCommand } from "../support/commands.ts";
import { addSample } from "../support/sample-documents.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { asAdministrator, type TempDatabase, tempDatabase } from "../support/temp-postgres.ts";

const database = (await tempDatabase()) as TempDatabase;
const LATEST = POSTGRES_MIGRATIONS.length + 1;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const admin = <T>(work: (sql: Sql) => Promise<T>) => asAdministrator(database.url, work);

/** An empty database, or one as this program leaves it, with a document and a rule. */
async function makeOld(version: 0 | 1): Promise<void> {
  await admin((sql) => sql.unsafe("DROP SCHEMA IF EXISTS knowledge CASCADE"));
  if (version === 0) return;
  const store = database.open();
  await addSample(store.documents, ["the heron waits by the river"]);
  await store.scopes.apply([
    { kind: "put-scope", scope: { id: "company", tier: "GENERAL" } },
    { kind: "put-entry", scope: "company", category: "git", keyword: "a", content: "b" },
  ]);
  await store.close();
}

async function versions(): Promise<readonly number[]> {
  const rows = await admin(async (sql) => {
    const [there] = await sql`SELECT to_regclass('knowledge.migrations') IS NOT NULL AS present`;
    if (there?.["present"] !== true) return [];
    return sql`SELECT version FROM knowledge.migrations ORDER BY version`;
  });
  return rows.map((row) => row["version"] as number);
}

/** Upgraded completely, and nothing was lost. */
async function expectUpgraded(documents: number): Promise<void> {
  expect(await versions()).toEqual(Array.from({ length: LATEST }, (_, at) => at + 1));
  const rows = await admin((sql) => sql`SELECT doc FROM knowledge.made_up`);
  expect(rows).toHaveLength(documents);
}

/** Every message with FUZZ_LONG, else some from the first to the last. */
const KILL_STEPS = (messages: number): readonly number[] => {
  const all = Array.from({ length: messages }, (_, at) => at + 1);
  return process.env["FUZZ_LONG"] ? all : all.filter((at) => at % Math.ceil(messages / 5) === 0);
};

/** A process that opens the store: the signal or exit code that it ended with, and how many messages it sent if by itself. */
async function upgradeInProcess(killAt = 0) {
  const child = spawn(
    process.execPath,
    ["--import", here("../support/preloads/kill-at-write.ts"), here("./children/open-database.ts")],
    {
      env: {
        PATH: process.env["PATH"],
        DATABASE_URL: database.url,
        KILL_AT_WRITE: String(killAt),
      },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const output = child.stdout.setEncoding("utf8").toArray();
  const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
  return { end: signal ?? code, messages: Number((await output).join("")) };
}

describe.skipIf(!database)("migrations: postgres", () => {
  afterAll(() => database.drop());

  test("no row is stored without its owner", async () => {
    await makeOld(1);
    const orphans = [
      "INSERT INTO knowledge.entries (kb, category, keyword, content) VALUES (1, 99, 'a', 'b')",
      "INSERT INTO knowledge.categories (kb, scope, name, description) VALUES (1, 99, 'a', 'b')",
      "INSERT INTO knowledge.scopes (kb, id, tier, parent) VALUES (1, 'lost', 3, 99)",
      `INSERT INTO knowledge.chunks VALUES (1, 9999, 9999, 0, 0, 1, 'a', '{}', '')`,
      "INSERT INTO knowledge.vectors VALUES (1, 9999, 1, 1, '[1]')",
      "INSERT INTO knowledge.original_parts VALUES (1, 'none', 0, '')",
    ];
    for (const orphan of orphans) {
      await expect(admin((sql) => sql.unsafe(orphan))).rejects.toMatchObject({ code: "23503" });
    }
  });

  test.each([0, 1] as const)(
    "an upgrade from version %i that is killed at any step continues at the next start",
    async (version) => {
      await makeOld(version);
      const { messages } = await upgradeInProcess();
      await expectUpgraded(version);
      for (const at of KILL_STEPS(messages)) {
        await makeOld(version);
        const { end, messages: sent } = await upgradeInProcess(at);
        // Messages are joined as time allows: this run may have had fewer.
        if (end !== "SIGKILL") expect(sent).toBeLessThan(at);
        // All of it, or nothing of it.
        expect([version, LATEST]).toContain((await versions()).length);
        await upgradeInProcess();
        await expectUpgraded(version);
      }
    },
  );

  test.each([0, 1] as const)(
    "two processes that upgrade from version %i at once run each migration once",
    async (version) => {
      await makeOld(version);
      const both = await Promise.all([upgradeInProcess(), upgradeInProcess()]);
      expect(both.map(({ end }) => end)).toEqual([0, 0]);
      await expectUpgraded(version);
    },
  );

  test("every command refuses a newer schema and leaves it unchanged", async () => {
    await makeOld(1);
    await admin((sql) => sql`INSERT INTO knowledge.migrations (version) VALUES (${LATEST})`);
    const before = await contents();
    const dataDir = tempFolder("newer-postgres");
    const file = join(dataDir, "note.txt");
    await writeFile(file, "A note on herons.");
    for (const name of Object.keys(COMMANDS)) {
      const args = argumentsOf(name, { file, backup: `${file}.backup` });
      const flags = { "database-url": database.url };
      const result = await runCommand({ name, args, options: OPTIONS, dataDir, flags }).catch(
        ({ code }: { code: string }) => ({ code, text: "" }),
      );
      if (!APART.includes(name)) expect([name, result.code]).not.toEqual([name, 0]);
      expect(await contents()).toEqual(before);
    }
  });
});

const OPTIONS = { yes: true, force: true, from: "postgres", to: "sqlite", scope: "general" };
/** They never look at the database, never fail, or serve without it until it is upgraded back. */
const APART = ["version", "help", "hook", "extract", "stdio", "http", "worker", "models"];

async function contents(): Promise<readonly string[]> {
  return admin(async (sql) => {
    const tables = await sql`SELECT tablename FROM pg_tables WHERE schemaname = 'knowledge'`;
    const sums: string[] = [];
    for (const { tablename } of tables) {
      const [row] = await sql.unsafe(
        `SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) AS sum FROM knowledge.${tablename} t`,
      );
      sums.push(`${tablename} ${row?.["sum"]}`);
    }
    return sums.toSorted();
  });
}

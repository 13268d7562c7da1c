// Databases of older versions, at every step of their upgrade; newer ones are refused and left as they are.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Sql } from "postgres";
import { afterAll, describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { MIGRATIONS } from "../../src/store/postgres/schema.ts";
import { argumentsOf, runCommand } from "../support/commands.ts";
import { foundTexts } from "../support/sample-documents.ts";
import { AS_BUILT } from "../support/shipped.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { asAdministrator, type TempDatabase, tempDatabase } from "../support/temp-postgres.ts";

const database = (await tempDatabase()) as TempDatabase;
const ROWS = readFileSync(new URL("../fixtures/postgres/rows.sql", import.meta.url), "utf8");
const LATEST = MIGRATIONS.length;
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const admin = <T>(work: (sql: Sql) => Promise<T>) => asAdministrator(database.url, work);

/** A database as a program with so many migrations left it, with documents, rules, a task and an original. */
async function makeOld(version: number, more = ""): Promise<void> {
  await admin(async (sql) => {
    await sql.unsafe("DROP SCHEMA IF EXISTS knowledge CASCADE");
    if (version === 0) return;
    await sql.unsafe(`CREATE EXTENSION IF NOT EXISTS vector; CREATE EXTENSION IF NOT EXISTS ltree;
      CREATE SCHEMA knowledge; CREATE TABLE knowledge.migrations (version integer PRIMARY KEY,
        works_with integer NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());`);
    for (const [at, { sql: step, worksWith }] of MIGRATIONS.slice(0, version).entries()) {
      await sql.unsafe(step);
      await sql`INSERT INTO knowledge.migrations VALUES (${at + 1}, ${worksWith})`;
    }
    await sql.unsafe(ROWS + more);
  });
}

/** What the schema is made of, in one text. */
async function shape(): Promise<string> {
  const rows = await admin(
    (sql) => sql`
      SELECT format('%s.%s %s %s', table_name, column_name, udt_name, is_nullable) AS line
      FROM information_schema.columns WHERE table_schema = 'knowledge'
      UNION SELECT indexdef FROM pg_indexes WHERE schemaname = 'knowledge' AND indexname NOT LIKE '%hnsw%'
      UNION SELECT conname || ' ' || pg_get_constraintdef(c.oid) FROM pg_constraint c
        JOIN pg_namespace n ON n.oid = connamespace WHERE nspname = 'knowledge' ORDER BY 1`,
  );
  return rows.map((row) => row["line"]).join("\n");
}

async function versions(): Promise<readonly number[]> {
  const rows = await admin((sql) => sql`SELECT version FROM knowledge.migrations ORDER BY version`);
  return rows.map((row) => row["version"] as number);
}

async function expectAllThere(): Promise<void> {
  const store = database.open();
  try {
    const page = { limit: 10, offset: 0, sortBy: "filename", sortOrder: "asc" } as const;
    const { documents } = await store.documents.list(page);
    expect(documents.map(({ filename }) => filename)).toEqual(["herons.md", "kingfisher.txt"]);
    expect(await foundTexts(store.documents, "heron")).toEqual(["the heron waits by the river"]);
    for (const { contentHash } of documents) {
      const original = await store.originals.open(contentHash);
      await original.release();
    }
    expect(await store.tasks.list({ limit: 10, open: true })).toHaveLength(1);
    const [own, parent] = await store.scopes.chain("shop");
    expect(own?.entries).toEqual([
      { category: "git", keyword: "commit", content: "Name the ticket." },
    ]);
    expect(parent?.id).toBe("company");
    await expect.poll(async () => (await store.health()).issues).toEqual([]);
  } finally {
    await store.close();
  }
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
    [
      ...AS_BUILT,
      "--import",
      here("../support/preloads/kill-at-write.ts"),
      here("../support/children/open-database.ts"),
    ],
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

  test("every older schema is migrated to the newest without losing data", async () => {
    await makeOld(0);
    await (async () => {
      const store = database.open();
      await store.documents.totals();
      await store.close();
    })();
    const fresh = await shape();
    for (let version = 1; version < LATEST; version++) {
      await makeOld(version);
      await expectAllThere();
      expect(await versions()).toEqual(MIGRATIONS.map((_, at) => at + 1));
      expect(await shape()).toBe(fresh);
    }
  });

  test("no row is stored without its owner", async () => {
    await makeOld(LATEST);
    const orphans = [
      "INSERT INTO knowledge.entries (kb, scope, category, keyword, content) VALUES (1, 1, 99, 'a', 'b')",
      "INSERT INTO knowledge.categories (kb, scope, name, description) VALUES (1, 99, 'a', 'b')",
      "INSERT INTO knowledge.scopes (kb, id, tier, path) VALUES (1, 'lost', 3, '99.100')",
      `INSERT INTO knowledge.chunks VALUES (1, 9999, 9999, 0, 0, 1, 'a', '{}', '')`,
      "INSERT INTO knowledge.vectors VALUES (1, 9999, 1, 1, '[1]')",
      "INSERT INTO knowledge.original_parts VALUES (1, 'none', 0, '')",
    ];
    for (const orphan of orphans) {
      await expect(admin((sql) => sql.unsafe(orphan))).rejects.toMatchObject({ code: "23503" });
    }
  });

  test("rows without an owner are set aside and reported, their text kept", async () => {
    await makeOld(
      3,
      `
      INSERT INTO knowledge.entries (kb, scope, category, keyword, content) VALUES
        (1, 2, 99, 'lost', 'The only copy of a rule.'), (1, 99, 99, 'deep', 'Another one.');
      INSERT INTO knowledge.categories (kb, scope, name, description) VALUES (1, 99, 'gone', 'Of no scope');
      INSERT INTO knowledge.scopes (kb, scope, id, tier, path) VALUES (1, 50, 'below', 3, '1.49.50');
      INSERT INTO knowledge.chunks VALUES (1, 9999, 9999, 0, 0, 1, 'only text', '{}', '');
      INSERT INTO knowledge.vectors VALUES (1, 9999, 9999, 1, '[1]');
      INSERT INTO knowledge.original_parts VALUES (1, 'unnamed', 0, 'a'), (1, 'unnamed', 1, 'b');`,
    );
    const store = database.open();
    const aside = expect.stringMatching(/1 categories, 1 chunks, 2 rules, 1 scope paths/);
    await expect.poll(async () => (await store.health()).issues).toEqual([aside]);
    expect((await store.scopes.chain("below")).map(({ id }) => id)).toEqual(["below", "company"]);
    expect(await store.originals.has("unnamed")).toBe(true);
    await store.close();
    const kept = await admin((sql) => sql`SELECT content::text AS text FROM knowledge.set_aside`);
    const text = kept.map((row) => row["text"]).join("\n");
    for (const only of ["The only copy of a rule.", "Another one.", "Of no scope", "only text"]) {
      expect(text).toContain(only);
    }
  });

  test("an upgrade that is killed at any step continues at the next start", async () => {
    await makeOld(1);
    const { messages } = await upgradeInProcess();
    expect(messages).toBeGreaterThan(MIGRATIONS.length);
    for (const at of KILL_STEPS(messages)) {
      await makeOld(1);
      const { end, messages: sent } = await upgradeInProcess(at);
      // Messages are joined as time allows: this run may have had fewer.
      if (end !== "SIGKILL") expect(sent).toBeLessThan(at);
      // All of it, or nothing of it.
      expect([1, LATEST]).toContain((await versions()).length);
      await expectAllThere();
    }
  });

  test("two processes that upgrade at once run each migration once", async () => {
    await makeOld(1);
    const both = await Promise.all([upgradeInProcess(), upgradeInProcess()]);
    expect(both.map(({ end }) => end)).toEqual([0, 0]);
    expect(await versions()).toEqual(MIGRATIONS.map((_, at) => at + 1));
    await expectAllThere();
  });

  test("every command refuses a newer schema and leaves it unchanged", async () => {
    await makeOld(LATEST);
    await admin(
      (sql) => sql`INSERT INTO knowledge.migrations VALUES (${LATEST + 1}, ${LATEST + 1})`,
    );
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

const OPTIONS = { yes: true, force: true, from: "postgres", to: "sqlite" };
/** They never look at the database, or serve without it until it is upgraded back. */
const APART = ["version", "help", "extract", "stdio", "http", "worker"];

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

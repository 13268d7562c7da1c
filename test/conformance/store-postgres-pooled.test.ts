// A real PgBouncer between the program and its database, in each of its modes.
import { rm } from "node:fs/promises";
import postgres from "postgres";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { hasPgBouncer, type PgBouncer, startPgBouncer } from "../../scripts/pgbouncer.ts";
import { runToEnd } from "../support/run.ts";
import { addSample, foundTexts } from "../support/sample-documents.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { type TempDatabase, tempDatabase } from "../support/temp-postgres.ts";

const database = (await tempDatabase()) as TempDatabase;

const SETTINGS =
  "statement_timeout, idle_in_transaction_session_timeout, jit, hnsw.ef_search, hnsw.iterative_scan";
const POOLED = ["transaction", "statement"] as const;

describe.skipIf(!database || !hasPgBouncer())("behind PgBouncer", () => {
  const started: PgBouncer[] = [];
  const start = async (settings: Readonly<Record<string, string>>) => {
    const pooler = await startPgBouncer(database.url, settings);
    started.push(pooler);
    return pooler.url;
  };
  const inMode = (pool_mode: string) => start({ pool_mode, ignore_startup_parameters: SETTINGS });
  afterEach(async () => {
    for (const pooler of started.splice(0)) await pooler.stop();
  });
  afterAll(() => database.drop());

  test("in session mode everything works", async () => {
    const store = database.open({ url: await inMode("session") });
    await addSample(store.documents, ["herons wait"]);
    expect(await foundTexts(store.documents, "herons")).toEqual(["herons wait"]);
    expect((await store.health()).issues).toEqual([]);
    await store.close();
  });

  test.each(POOLED)("in %s mode every call is refused with what to do", async (mode) => {
    const store = database.open({ url: await inMode(mode) });
    const refused = { code: "CONFIG_INVALID", message: expect.stringContaining("session mode") };
    await expect(store.documents.totals()).rejects.toMatchObject(refused);
    await expect(addSample(store.documents, ["herons"])).rejects.toMatchObject(refused);
    const { connected, issues } = await store.health();
    expect({ connected, issues }).toEqual({
      connected: false,
      issues: [{ code: "databasePooled", values: [] }],
    });
    await store.close();
  });

  test("in transaction mode it is noticed also while others use the pooler", async () => {
    // One session for all, so that whoever comes next gets it.
    const one = { default_pool_size: "1", ignore_startup_parameters: SETTINGS };
    const url = await start({ pool_mode: "transaction", ...one });
    const others = Array.from({ length: 6 }, () => postgres(url, { max: 1, fetch_types: false }));
    const state = { isOver: false };
    const busy = others.map(async (sql) => {
      while (!state.isOver) await sql.unsafe("SELECT pg_sleep(0.001)").simple();
    });
    const store = database.open({ url });
    const code = await store.documents.totals().then(
      () => "served",
      (error: { readonly code?: string }) => error.code,
    );
    state.isOver = true;
    await Promise.all(busy);
    await Promise.all(others.map((sql) => sql.end({ timeout: 1 })));
    await store.close();
    expect(code).toBe("CONFIG_INVALID");
  });

  test.each(["http", "worker", "doctor"])(
    "in transaction mode %s says so and ends",
    async (command) => {
      const folder = tempFolder("pooled");
      const url = await inMode("transaction");
      const port = command === "http" ? ["--port", "0"] : [];
      const { code, stdout, stderr } = await runToEnd({
        args: [command, ...port, "--database-url", url],
        folder,
      });
      expect(`${stdout}${stderr}`.replaceAll(/\s+/g, " ")).toContain("to session mode, or connect");
      expect(code).toBe(command === "doctor" ? 1 : 2);
      await rm(folder, { recursive: true, force: true });
    },
  );

  test("that refuses the connection's settings names those to allow", async () => {
    const url = await start({ pool_mode: "session" });
    const store = database.open({ url, retryForMs: 100 });
    await expect(store.documents.totals()).rejects.toMatchObject({
      message: expect.stringContaining("ignore_startup_parameters = statement_timeout"),
    });
    await store.close();
  });
});

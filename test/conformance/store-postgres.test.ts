// Every promise of the store on a real server, and of every statement that this takes, how the server runs it: within one
// knowledge base, so that tables can be split by it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { POSTGRES_TABLES } from "../../src/store/schema.ts";
import type { Store } from "../../src/store/store.ts";
import { S3_KEYS, S3_REGION, type S3Server, startS3 } from "../support/s3-server.ts";
import { asAdministrator, tempDatabase } from "../support/temp-postgres.ts";
import { originalCases } from "./store/originals.ts";
import { LOGS_PLANS, readPlans, scansOf } from "./store/plans.ts";
import { storeSuite } from "./store.suite.ts";

const database = await tempDatabase({ ownServer: true, settings: LOGS_PLANS });
afterAll(() => database?.drop());

describe.skipIf(!database)("on a real server", () => {
  storeSuite("postgres", async () => {
    if (!database) throw new Error("no database");
    const store = database.open();
    return {
      store,
      another: async () => database.open(),
      dispose: () => store.close(),
    };
  });
});

describe.skipIf(!database)("originals in a bucket, on a real server", () => {
  let server: S3Server;
  let store: Store;
  const others: Store[] = [];
  const open = () => {
    const place = { place: "s3://files/originals", endpoint: server.url };
    const originals = { ...place, region: S3_REGION, credentials: S3_KEYS };
    return database?.open({ base: "bucket", originals }) as Store;
  };
  beforeAll(async () => {
    server = await startS3();
    store = open();
  });
  afterAll(async () => {
    await Promise.all([store, ...others].map((each) => each.close()));
    await server.close();
  });
  originalCases({
    get store() {
      return store;
    },
    async another() {
      others.push(open());
      return others.at(-1) as Store;
    },
  });
});

/** Of the database, not of one knowledge base. */
const SHARED_TABLES = new Set(["bases", "migrations"]);
const isSplit = (table: string) => !SHARED_TABLES.has(table);

describe.skipIf(!database?.restart)("a knowledge base is what tables can be split by", () => {
  const ask = <Row extends object>(text: string) =>
    asAdministrator(database?.url ?? "", (sql) => sql.unsafe<Row[]>(text));

  test("every key, index and reference of every table begins with it", async () => {
    const indexes = await ask<{ table: string; index: string; first: string; method: string }>(`
      SELECT t.relname AS table, i.relname AS index, am.amname AS method,
        pg_get_indexdef(x.indexrelid, 1, true) AS first
      FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
        JOIN pg_am am ON am.oid = i.relam WHERE t.relnamespace = 'knowledge'::regnamespace`);
    const tables = new Set(indexes.map(({ table }) => table));
    expect(tables.size).toBeGreaterThan(15);
    const others = indexes.filter(({ table, first }) => first !== "kb" && isSplit(table));
    // It has no other columns, in any knowledge base.
    expect(new Set(others.map(({ table, method }) => `${table} ${method}`))).toEqual(
      new Set(["vectors hnsw"]),
    );
    const references = await ask<{ from: string; to: string }>(`
      SELECT a.attname AS from, b.attname AS to FROM pg_constraint c
        JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
        JOIN pg_attribute b ON b.attrelid = c.confrelid AND b.attnum = c.confkey[1]
      WHERE c.contype = 'f' AND c.connamespace = 'knowledge'::regnamespace`);
    expect(references.length).toBeGreaterThan(5);
    expect(references.filter(({ from, to }) => from !== "kb" || to !== "kb")).toEqual([]);
  });

  test("every statement reads within one", async () => {
    const plans = await readPlans(ask);
    const scans = plans.flatMap(scansOf).filter(({ table }) => isSplit(table));
    expect(new Set(scans.map(({ table }) => table))).toEqual(
      new Set(POSTGRES_TABLES.filter(isSplit)),
    );
    expect(scans.filter(({ isWithinOne }) => !isWithinOne)).toEqual([]);
  });

  test("a statement that reads across them is noticed", async () => {
    await ask("SELECT count(*) FROM knowledge.documents");
    const scans = (await readPlans(ask)).flatMap(scansOf);
    const across = scans.filter(({ table, isWithinOne }) => table === "documents" && !isWithinOne);
    expect(across).toHaveLength(1);
  });
});

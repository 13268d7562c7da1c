// Every way in which a statement of an add can fail ends in success, or in an error that says what to do.
import { createHash, randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { toKnowledgeError } from "../../src/domain/errors.ts";
import { openDatabase } from "../../src/store/postgres/database.ts";
import type { Store } from "../../src/store/store.ts";
import { sampleDocument } from "../support/sample-documents.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { type TempDatabase, tempDatabase } from "../support/temp-postgres.ts";
import { type Fault, type FaultyPostgres, openFaultyPostgres } from "./faulty-postgres.ts";

const errors = (...codes: string[]) => codes.map((code): Fault => ({ kind: "ERROR", code }));
const fatals = (...codes: string[]) => codes.map((code): Fault => ({ kind: "FATAL", code }));

/** After these the same add works: it is made again, and the caller notices nothing. */
const PASSING: readonly Fault[] = [
  { kind: "closed" },
  ...fatals("08006", "25P03", "25P04", "57P01", "57P02", "57P03", "57P05", "53300", "58030"),
  ...fatals("XX000"),
  ...errors("08P01", "40001", "40003", "40P01", "55P03", "25006", "23505", "23503", "26000"),
];
const LASTING: readonly Fault[] = [
  { kind: "garbled" },
  ...errors("53100", "53200", "53400", "57014", "58030", "XX000", "XX001", "XX002", "F0000"),
  ...errors("22P02", "22021", "54000", "42P01", "3F000", "42501", "P0001", "0A000", "25P02"),
  ...fatals("28P01", "28000", "3D000", "57P04"),
];
const POOL = 2;

const database = (await tempDatabase()) as TempDatabase;
const folder = tempFolder("postgres-errors");

describe.skipIf(!database)("store: postgres, errors", () => {
  let proxy: FaultyPostgres;
  let patient: Store;
  let hasty: Store;

  beforeAll(async () => {
    proxy = await openFaultyPostgres(database.url);
    const common = { url: proxy.url, poolSize: POOL, base: "errors", log: silentLog() };
    patient = database.open(common);
    hasty = database.open({ ...common, retryForMs: 0 });
    for (const store of [patient, hasty]) await add(store);
  });
  afterAll(async () => {
    await Promise.all([patient, hasty].map((store) => store?.close()));
    await proxy?.close();
    await database.drop();
  });

  /** Each statement meets one of the faults, and each fault at least one of the statements. */
  async function everywhere(faults: readonly Fault[], visit: Visit): Promise<void> {
    proxy.arm();
    await add(patient);
    const count = Math.max(proxy.seen(), faults.length);
    for (let at = 0; at < count; at++) {
      const fault = faults[at % faults.length] as Fault;
      proxy.arm(at, fault);
      await visit(`${JSON.stringify(fault)} at statement ${at}`);
      proxy.arm();
    }
  }

  test("what passes is made again, once", async () => {
    await everywhere(PASSING, async (where) => {
      const id = await add(patient).catch(
        (thrown: unknown) => `${where}: ${describeError(thrown)}`,
      );
      expect(await patient.documents.get(id), id).toBeDefined();
    });
    const { documents } = await patient.documents.totals();
    expect(await patient.tasks.list({ limit: 1_000 })).toHaveLength(documents);
  });

  test.each([
    ["what passes, but not in time", PASSING],
    ["what lasts", LASTING],
  ])("%s is an error that says what to do, and the next add works", async (_, faults) => {
    await everywhere(faults, async (where) => {
      await add(hasty).catch((thrown: unknown) => expectAdvice(thrown, where));
      // A connection that was lost may be noticed only now.
      for (let left = POOL; left > 0; left--) {
        proxy.arm();
        const again = await add(hasty).catch((thrown: unknown) => expectAdvice(thrown, where));
        if (again !== undefined) return;
      }
      await add(hasty);
    });
  });

  test("a transaction that begins behind any number of reads is one", async () => {
    const options = { base: "errors", poolSize: POOL, log: silentLog(), retryForMs: 60_000 };
    const patience = { connectTimeoutMs: 60_000, statementTimeoutMs: 120_000 };
    const opened = openDatabase({ url: database.url, ...options, ...patience });
    await opened.read(async () => {});
    // The library counts a hundred statements per connection.
    for (const reads of [199, 200, 201, 202]) {
      const reading = Array.from({ length: reads }, () => opened.read((sql) => sql`SELECT 1`));
      await nextTurn();
      const writing = opened.write(
        (sql) => sql<[{ inside: boolean }]>`
        SELECT pg_current_xact_id_if_assigned() IS NOT NULL AS inside`,
      );
      expect(await writing).toEqual([{ inside: true }]);
      await Promise.all(reading);
    }
    await opened.close();
  });
});

type Visit = (where: string) => Promise<void>;

function describeError(thrown: unknown): string {
  const { code, message, cause } = toKnowledgeError(thrown);
  return `${code} ${message} ${cause}`;
}

function expectAdvice(thrown: unknown, where: string): undefined {
  const { code, message } = toKnowledgeError(thrown);
  const codes = ["STORE_UNAVAILABLE", "STORE_FULL", "STORE_CORRUPT", "STORE_REFUSED"];
  expect(codes, `${where}: ${describeError(thrown)}`).toContain(code);
  expect(message).toMatch(/^The database.*[.;] \S+ .*\.$/);
  expect(message).not.toContain("planted");
  return undefined;
}

/** As an add goes through the store: bytes, task, claim, document, end. */
async function add(store: Store): Promise<string> {
  const text = `about ${randomUUID()}`;
  const hash = createHash("sha256").update(text).digest("hex");
  const path = join(folder, "original");
  writeFileSync(path, text);
  await store.originals.keep(hash, path);
  const request = { contentHash: hash, filename: "a.txt", sizeBytes: text.length, metadata: {} };
  const { id } = await store.tasks.enqueue(randomUUID(), { ...request, forceOcr: false });
  await store.tasks.claimById(id, "w", 60_000);
  const original = await store.originals.open(hash);
  await original.release();
  const { document, chunks } = sampleDocument([text], { contentHash: hash });
  const outcome = await store.documents.put(document, chunks, { taskId: id, worker: "w" });
  expect(outcome).toBe("stored");
  return document.id;
}

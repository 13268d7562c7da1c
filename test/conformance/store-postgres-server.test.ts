// Requirements of a shared database only: upgrades, privileges, names, text, merged segments.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { openDatabase } from "../../src/store/postgres/database.ts";
import { DIALECT, openEngine } from "../../src/store/postgres/engine.ts";
import { POSTGRES_MIGRATIONS } from "../../src/store/schema.ts";
import { openCompiler } from "../../src/store/sql.ts";
import { addWords } from "../../src/store/words/segments.ts";
import { startHttpProgram } from "../support/process.ts";
import {
  addSample,
  foundTexts,
  sampleDocument,
  sampleVector,
} from "../support/sample-documents.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { asAdministrator, type TempDatabase, tempDatabase } from "../support/temp-postgres.ts";

const database = (await tempDatabase()) as TempDatabase;

describe.skipIf(!database)("store: postgres, shared", () => {
  afterAll(() => database.drop());

  test("servers that start on an empty database at once prepare it once", async () => {
    const stores = Array.from({ length: 5 }, () => database.open());
    const totals = await Promise.all(stores.map((store) => store.documents.totals()));
    expect(totals.map(({ documents }) => documents)).toEqual([0, 0, 0, 0, 0]);
    await Promise.all(stores.map((store) => store.close()));
  });

  test.skipIf(process.platform === "win32")(
    "a server whose data folder does not exist yet shares its searches",
    async () => {
      const server = await startHttpProgram({ args: ["--database-url", database.url] });
      try {
        expect(server.stderr()).not.toContain("search.not-shared");
        expect(existsSync(join(server.folder, "data", "search.sock"))).toBe(true);
      } finally {
        await server.stop();
      }
    },
  );

  test("knowledge bases in one database do not see each other", async () => {
    const [red, blue] = ["red", "blue"].map((base) => database.open({ base }));
    if (!red || !blue) throw new Error("two stores");
    const id = await addSample(red.documents, ["colour of bricks"]);
    await addSample(blue.documents, ["colour of water"]);
    expect(await foundTexts(red.documents, "colour")).toEqual(["colour of bricks"]);
    const vector = sampleVector("colour of water");
    const near = await red.documents.nearest({ vector, limit: 9 });
    expect((await red.documents.chunks(near.map(({ key }) => key))).length).toBe(1);
    expect(await blue.documents.get(id)).toBeUndefined();
    await blue.documents.clear();
    expect(await red.documents.totals()).toMatchObject({ documents: 1 });
    await Promise.all([red.close(), blue.close()]);
  });

  test("NUL and half surrogate pairs are stored as the replacement character", async () => {
    const store = database.open({ base: "text" });
    const text = "before \0 between \ud800 after";
    const filename = "a\0b.txt";
    const metadata = { note: "x\0y", list: ["\udfff"] };
    const { document, chunks } = sampleDocument([text], { filename, metadata });
    await store.documents.put(document, chunks);
    const whole = "before \ufffd between \ufffd after";
    expect(await store.documents.extracted(document.id)).toMatchObject({ text: whole });
    expect((await store.documents.chunksOf(document.id))[0]?.text).toBe(whole);
    expect(await store.documents.get(document.id)).toMatchObject({
      filename: "a\ufffdb.txt",
      metadata: { note: "x\ufffdy", list: ["\ufffd"] },
    });
    await store.close();
  });

  test("paths are found by an index that a server in FIPS mode allows", async () => {
    const store = database.open({ base: "paths" });
    const paths = [
      "/a/b.txt",
      "C:\\101\\x41.txt",
      "/\u6587\u66f8/\\.txt",
      `/${"long/".repeat(800)}`,
    ];
    for (const sourcePath of paths) {
      const { document, chunks } = sampleDocument([`text of ${sourcePath}`]);
      await store.documents.put({ ...document, sourcePath }, chunks);
    }
    for (const path of paths) {
      expect(await store.documents.findByPath(path)).toMatchObject({ sourcePath: path });
    }
    await asAdministrator(database.url, async (sql) => {
      const indexes = await sql`SELECT indexdef FROM pg_indexes WHERE schemaname = 'knowledge'`;
      expect(indexes.map(({ indexdef }) => indexdef).join("\n")).not.toContain("md5(");
      await sql`SET enable_seqscan = off`;
      const { text, values } = openCompiler(DIALECT)(DIALECT.isAtPath(paths[1] ?? ""));
      const plan = await sql.unsafe(
        `EXPLAIN SELECT FROM knowledge.documents d WHERE d.kb = 1 AND ${text}`,
        values as string[],
      );
      const lines = plan.map((row) => row["QUERY PLAN"]).join("\n");
      expect(lines).toContain("Index Scan using documents_path_hash");
      expect(lines).toMatch(/Index Cond: .*sha256/);
    });
    await store.close();
  });

  test("merged segments keep every posting except those of removed chunks", async () => {
    const store = database.open({ base: "joined" });
    const ids: string[] = [];
    for (let number = 0; number < 70; number++) {
      ids.push(await addSample(store.documents, [`common n${number}`, `common pair${number % 7}`]));
    }
    for (const id of ids.slice(0, 65)) await store.documents.remove(id);
    await store.close();
    const again = database.open({ base: "joined" });
    const { chunkCount, frequencies } = await again.documents.termStatistics(["common", "n3"]);
    expect([chunkCount, ...frequencies.values()]).toEqual([10, 10, 0]);
    expect((await foundTexts(again.documents, "common")).length).toBe(10);
    expect(await foundTexts(again.documents, "n69")).toEqual(["common n69"]);
    expect(await foundTexts(again.documents, "n3")).toEqual([]);
    const [rows] = await asAdministrator(
      database.url,
      (sql) => sql`SELECT count(*)::integer AS segments FROM knowledge.word_segments
        WHERE kb = (SELECT kb FROM knowledge.bases WHERE name = 'joined')`,
    );
    expect(rows?.["segments"]).toBeLessThan(30);
    await again.close();
  });
  test("bytes that are not those of their hash are not kept as an original", async () => {
    const store = database.open({ base: "changed" });
    const folder = tempFolder("changed");
    const bytes = randomBytes(2_500_000);
    const hash = createHash("sha256").update(bytes).digest("hex");
    const others = [
      bytes.subarray(0, -1),
      Buffer.concat([bytes, Buffer.from("x")]),
      Buffer.alloc(0),
    ];
    for (const other of others) {
      await writeFile(join(folder, "file"), other);
      const kept = store.originals.keep(hash, join(folder, "file"));
      await expect(kept).rejects.toMatchObject({ code: "FILE_UNAVAILABLE" });
      expect(await store.originals.has(hash)).toBe(false);
    }
    await writeFile(join(folder, "file"), bytes);
    await store.originals.keep(hash, join(folder, "file"));
    const { path, release } = await store.originals.open(hash);
    expect((await readFile(path)).equals(bytes)).toBe(true);
    await release();
    await store.close();
  });

  test("writers of the same words do not wait for each other", async () => {
    const store = database.open({ base: "writers" });
    await store.documents.totals();
    const times = { connectTimeoutMs: 5_000, statementTimeoutMs: 5_000, retryForMs: 0 };
    const { url } = database;
    const direct = openDatabase({ url, base: "writers", poolSize: 2, ...times, log: silentLog() });
    const engine = openEngine(direct);
    const add = (doc: number, whileOpen: () => Promise<unknown>) =>
      engine.write(async (db) => {
        const [key = 0, number = 0] = await db.dialect.reserveKeys(db, 2);
        await addWords(db, number, [{ key, doc, terms: ["frequent"] }]);
        await whileOpen();
      });
    await add(1, () => add(2, async () => {}));
    expect((await store.documents.termStatistics(["frequent"])).frequencies.get("frequent")).toBe(
      2,
    );
    await direct.close();
    await store.close();
  });

  test("a database user with minimal privileges can do everything", async () => {
    const role = `knowledge_${randomUUID().slice(0, 8)}`;
    await asAdministrator(database.url, async (sql) => {
      await sql`CREATE ROLE ${sql(role)} LOGIN PASSWORD 'least'`;
      await sql`DROP SCHEMA knowledge CASCADE`;
      await sql`CREATE SCHEMA knowledge AUTHORIZATION ${sql(role)}`;
    });
    const url = new URL(database.url);
    url.username = role;
    url.password = "least";
    const store = database.open({ url: url.href });
    const id = await addSample(store.documents, ["least rights"]);
    expect(await foundTexts(store.documents, "least")).toEqual(["least rights"]);
    expect(await store.scopes.version()).toBe(0);
    expect(await store.documents.remove(id)).toMatchObject({ id });
    expect((await store.health()).location).not.toContain("least");
    await store.close();
  });

  test("originals that nothing refers to are kept for 30 days, and many stop the sweep", async () => {
    const store = database.open({ base: "trash" });
    const path = join(tempFolder("trash"), "file");
    await writeFile(path, "needed");
    const contentHash = createHash("sha256").update("needed").digest("hex");
    await store.originals.keep(contentHash, path);
    await addSample(store.documents, ["needed"], { contentHash });
    const plant = (count: number) =>
      asAdministrator(
        database.url,
        (sql) => sql`INSERT INTO knowledge.originals (kb, content_hash, parts, kept_at)
          SELECT kb, md5(random()::text), 0, now() - interval '2 hours'
          FROM knowledge.bases, generate_series(1, ${count}) WHERE name = 'trash'`,
      );
    // As after so many days on which a server swept, or after the database's clock was set ahead.
    const inTrashFor = (days: number, sweeps: number) =>
      asAdministrator(
        database.url,
        (sql) => sql`UPDATE knowledge.originals
          SET trashed_at = now() - ${days} * interval '1 day', kept_at = now() - interval '99 years',
            trash_days = ARRAY(SELECT current_date - n FROM generate_series(1, ${sweeps}::int) n)
          WHERE trashed_at IS NOT NULL`,
      );
    await plant(3);
    expect(await store.originals.sweep()).toMatchObject({ kind: "swept", trashed: 3 });
    await inTrashFor(20_000, 28);
    await store.originals.sweep();
    expect(await store.originals.survey()).toMatchObject({ files: 1, inTrash: 3 });
    await plant(11);
    expect(await store.originals.sweep()).toMatchObject({ kind: "stopped" });
    expect((await store.originals.survey()).problem?.values).toEqual(["11", "12"]);
    await inTrashFor(0, 29);
    await store.originals.sweep();
    expect(await store.originals.survey()).toMatchObject({ files: 12, inTrash: 0 });
    await store.close();
  });

  test("a database that a newer version has upgraded is refused", async () => {
    const before = database.open();
    await before.documents.totals();
    await asAdministrator(
      database.url,
      (sql) => sql`INSERT INTO knowledge.migrations (version)
        VALUES (${POSTGRES_MIGRATIONS.length + 1})`,
    );
    const tooOld = database.open();
    await expect(tooOld.documents.totals()).rejects.toMatchObject({ code: "STORE_TOO_NEW" });
    await Promise.all([before, tooOld].map((store) => store.close()));
  });

  test("a database with other tables under the same version is refused", async () => {
    await asAdministrator(database.url, async (sql) => {
      await sql`DELETE FROM knowledge.migrations WHERE version > ${POSTGRES_MIGRATIONS.length}`;
      await sql`ALTER TABLE knowledge.migrations DROP fingerprint`;
    });
    const store = database.open();
    await expect(store.documents.totals()).rejects.toThrow(/an empty database/);
    await store.close();
  });
});

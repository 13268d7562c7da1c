// A real streaming replica. It is paused to show what is read from it: it then lacks whatever was written since.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { TestPostgres } from "../../scripts/postgres.ts";
import type { Store } from "../../src/store/store.ts";
import { eventually } from "../support/eventually.ts";
import { addSample, foundTexts } from "../support/sample-documents.ts";
import { asAdministrator, type TempDatabase, tempDatabase } from "../support/temp-postgres.ts";

const database = (await tempDatabase({ ownServer: true })) as TempDatabase;

describe.skipIf(!database?.replica)("store: postgres with a replica", () => {
  let replica: TestPostgres;
  let other: Store;
  let reader: Store;

  beforeAll(async () => {
    other = database.open();
    await addSample(other.documents, ["heron at the river"]);
    replica = (await database.replica?.()) as TestPostgres;
    reader = database.open({ readUrls: [replica.url] });
  });
  afterAll(async () => {
    await reader?.close();
    await other?.close();
    await replica?.stop();
    await database?.drop();
  });

  const onReplica = (statement: string) =>
    asAdministrator(replica.url, (sql) => sql.unsafe(statement));

  /** How many connections of a store it has. */
  const connections = async () => {
    const rows = await onReplica(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'knowledge-server'",
    );
    return Number(rows[0]?.["n"]);
  };

  /** It has replayed what there is, and the reader uses it. */
  const isUsed = async () => {
    await reader.documents.totals();
    const [row] = await asAdministrator(
      database.url,
      (sql) => sql`SELECT pg_logical_emit_message(true, 'test', 'now')::text AS position`,
    );
    await eventually(async () => {
      await reader.documents.totals();
      expect(await connections()).toBeGreaterThan(0);
      expect(
        await onReplica(`SELECT pg_last_wal_replay_lsn() > '${row?.["position"]}' AS has`),
      ).toMatchObject([{ has: true }]);
    });
  };

  /** Works while the replica replays nothing, and it lacks a document of another process. */
  async function whilePaused(text: string, work: () => Promise<void>): Promise<void> {
    await isUsed();
    await onReplica("SELECT pg_wal_replay_pause()");
    try {
      await eventually(async () =>
        expect(await onReplica("SELECT pg_get_wal_replay_pause_state() AS state")).toMatchObject([
          { state: "paused" },
        ]),
      );
      await addSample(other.documents, [text]);
      await work();
    } finally {
      await onReplica("SELECT pg_wal_replay_resume()");
    }
    await eventually(async () => expect(await foundTexts(reader.documents, text)).toEqual([text]));
  }

  test("searches, lists and texts are read from it", () =>
    whilePaused("falcon", async () => {
      const { documents } = reader;
      expect(await foundTexts(documents, "falcon")).toEqual([]);
      const page = { limit: 9, offset: 0, sortBy: "date_added", sortOrder: "asc" } as const;
      const [here, there] = [await documents.list(page), await other.documents.list(page)];
      expect(here.total).toBe(there.total - 1);
      const added = there.documents.at(-1)?.id ?? "";
      expect(await documents.get(added)).toBeUndefined();
      expect(await documents.chunksOf(added)).toEqual([]);
      // What decides whether a file is stored again is never old.
      expect(await documents.findByHash(there.documents.at(-1)?.contentHash ?? "")).toBeDefined();
    }));

  test("whoever has written reads what was written, from the primary if need be", () =>
    whilePaused("osprey", async () => {
      expect(await foundTexts(reader.documents, "osprey")).toEqual([]);
      const id = await addSample(reader.documents, ["kestrel above the field"]);
      expect(await reader.documents.get(id)).toBeDefined();
      expect(await foundTexts(reader.documents, "kestrel")).toEqual(["kestrel above the field"]);
      expect(await foundTexts(reader.documents, "osprey")).toEqual(["osprey"]);
      await reader.documents.remove(id);
      expect(await reader.documents.get(id)).toBeUndefined();
    }));

  test("whoever has seen a task of another process finds its document", () =>
    whilePaused("buzzard", async () => {
      expect(await foundTexts(reader.documents, "buzzard")).toEqual([]);
      await reader.tasks.get("any");
      expect(await foundTexts(reader.documents, "buzzard")).toEqual(["buzzard"]);
    }));

  test("hundreds of writes and reads at once: every write is read at once by its writer", async () => {
    const writers = Array.from({ length: 20 }, async (_, writer) => {
      for (let round = 0; round < 10; round++) {
        const id = await addSample(reader.documents, [`wren ${writer} of round ${round}`]);
        expect(await reader.documents.get(id)).toBeDefined();
        expect((await reader.documents.chunksOf(id)).length).toBe(1);
      }
    });
    await Promise.all(writers);
  });

  test("its loss is survived and reported, and it is used again", async () => {
    await isUsed();
    await replica.restart?.(async () => {
      expect(await foundTexts(reader.documents, "river")).toEqual(["heron at the river"]);
      const { connected, issues } = await reader.health();
      expect(connected).toBe(true);
      expect(issues).toEqual([{ code: "replicasUnusable", values: ["1", "1"] }]);
    });
    await isUsed();
    expect((await reader.health()).issues).toEqual([]);
  });

  test("while the primary is unavailable, the replica answers", async () => {
    await isUsed();
    await database.restart?.(async () => {
      expect(await foundTexts(reader.documents, "river")).toEqual(["heron at the river"]);
    });
    await eventually(() => other.documents.totals());
  });

  test("a server that is no replica of the database is not read from", async () => {
    const store = database.open({ readUrls: [database.url] });
    expect(await foundTexts(store.documents, "river")).toEqual(["heron at the river"]);
    expect((await store.health()).issues).toEqual([
      { code: "replicasUnusable", values: ["1", "1"] },
    ]);
    await store.close();
  });
});

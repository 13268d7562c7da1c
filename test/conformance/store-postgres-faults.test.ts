// Faults that a shared database must survive: dead processes, lost connections, an unavailable server.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, test } from "vitest";

import { openDatabase } from "../../src/store/postgres/database.ts";
import type { Store } from "../../src/store/store.ts";
import { eventually } from "../support/eventually.ts";
import { addSample, foundTexts, sampleDocument } from "../support/sample-documents.ts";
import { silentLog } from "../support/silent-log.ts";
import { asAdministrator, type TempDatabase, tempDatabase } from "../support/temp-postgres.ts";
import { openLossyProxy, openSilentNetwork } from "./lossy-postgres.ts";

// On a slow machine a put may take longer than the time between two cuts: it must come to an end once.
const MAX_CUTS = 30;

const database = (await tempDatabase({ ownServer: true })) as TempDatabase;

const DIRECT = {
  base: "crash",
  poolSize: 1,
  connectTimeoutMs: 30_000,
  statementTimeoutMs: 60_000,
  retryForMs: 60_000,
  log: silentLog(),
};

interface Issued {
  readonly pid: number;
  readonly xid: string;
}

describe.skipIf(!database)("store: postgres, faults", () => {
  afterAll(() => database.drop());

  test("processes die and the database restarts: each acknowledged document is stored once", async () => {
    const fleet = openFleet(database.url);
    const servers = Array.from({ length: 4 }, () => fleet.server(25));
    fleet.worker();
    fleet.worker();
    for (let round = 0; round < 6; round++) {
      await sleep(250);
      await fleet.killWorker();
      fleet.worker();
      if (round === 2) await breakConnections(database);
    }
    const acknowledged = (await Promise.all(servers)).flat();
    expect(acknowledged).toHaveLength(100);

    const store = database.open({ base: "default", retryForMs: 60_000 });
    const statuses = async () =>
      (await store.tasks.list({ limit: 200 })).map((task) => task.status);
    const done = Array.from({ length: 100 }, () => "completed");
    await eventually(async () => expect(await statuses()).toEqual(done), 240_000);
    await fleet.stop();
    expect(await store.documents.totals()).toMatchObject({ documents: 100, chunks: 200 });
    for (const { hash } of acknowledged) {
      expect(await store.documents.findByHash(hash)).toMatchObject({ chunkCount: 2 });
    }
    const { frequencies } = await store.documents.termStatistics(["shared", "second"]);
    expect([...frequencies.values()]).toEqual([100, 100]);
    await store.close();
  }, 600_000);

  test("writers whose connections are cut lose nothing and store nothing twice", async () => {
    const store = database.open({ base: "cut", retryForMs: 120_000 });
    await store.documents.totals();
    const ids: string[] = [];
    const writing = (async () => {
      for (let number = 0; number < 25; number++) {
        ids.push(await addSample(store.documents, [`cut ${number}`, "cut again"]));
      }
    })();
    let over = false;
    void writing.finally(() => {
      over = true;
    });
    for (let cuts = 0; cuts < MAX_CUTS && !over; cuts++) {
      await sleep(150);
      await cutConnections(database.url);
    }
    await writing;
    expect(await store.documents.totals()).toMatchObject({ documents: 25, chunks: 50 });
    const { frequencies, chunkCount } = await store.documents.termStatistics(["cut", "again"]);
    expect({ chunkCount, ...Object.fromEntries(frequencies) }).toEqual({
      chunkCount: 50,
      cut: 50,
      again: 25,
    });
    for (const id of ids) expect(await store.documents.get(id)).toBeDefined();
    await store.close();
  }, 600_000);

  test("a commit whose response is lost is recognised and not repeated", async () => {
    const proxy = await openLossyProxy(database.url);
    const store = database.open({ base: "lossy", url: proxy.url, poolSize: 1 });
    // The first vector of a length also makes its index: not the commit that is meant.
    await addSample(store.documents, ["before"]);
    const { document, chunks } = sampleDocument(["answer is lost"]);
    const task = { contentHash: "0".repeat(64), filename: "a", sizeBytes: 1, metadata: {} };
    await store.tasks.enqueue("lossy-1", { ...task, forceOcr: false });
    await store.tasks.claimById("lossy-1", "w", 60_000);
    proxy.loseNext();
    // Statements prepared on this connection do not show their text: a new one does.
    await cutConnections(database.url);
    expect(await store.documents.put(document, chunks, { taskId: "lossy-1", worker: "w" })).toBe(
      "stored",
    );
    expect(proxy.lost()).toBe(1);
    expect(await store.documents.totals()).toMatchObject({ documents: 2, chunks: 2 });
    expect(await store.tasks.get("lossy-1")).toMatchObject({ status: "completed" });
    expect(await foundTexts(store.documents, "lost")).toEqual(["answer is lost"]);
    await store.close();
    await proxy.close();
  });

  describe.skipIf(!database?.restart)(
    "a transaction lost in a crash is not confused with another",
    () => {
      const crashes = {
        "the server stops": async () => database.restart?.(),
        "one of its processes dies": (pid: number) => killBackend(database.url, pid),
      };
      test.each(Object.entries(crashes))("%s", async (_, crash) => {
        await prepareBase();
        const proxy = await openLossyProxy(database.url);
        const store = openDatabase({ ...DIRECT, url: proxy.url });
        const runs: Issued[] = [];
        proxy.holdNext(async () => {
          const [{ pid, xid }] = runs as [Issued];
          await crash(pid);
          await commitUpTo(database.url, BigInt(xid));
        });
        const written = store.write(async (sql) => {
          const [issued] = await sql<Issued[]>`
          SELECT pg_backend_pid() AS pid, pg_current_xact_id()::text AS xid`;
          runs.push(issued as Issued);
          return runs.length;
        });
        const outcome = await written.catch((thrown: { code: string }) => thrown.code);
        // Made again where the database remembered the number.
        expect(["STORE_UNAVAILABLE", 2]).toContain(outcome);
        await store.close();
        await proxy.close();
      });

      test("a connection that is lost while idle fails only its own call", async () => {
        const store = openDatabase({ ...DIRECT, url: database.url });
        let runs = 0;
        const written = store.write(async (sql) => {
          await sql`SELECT 1`;
          if (++runs === 1) await cutConnections(database.url);
          return runs;
        });
        expect(await written).toBe(2);
        await store.close();
      });
    },
  );

  // They wait for time limits, side by side.
  describe.concurrent("what is silent", () => {
    test("a call that a silent network swallows fails, and the next one works", async () => {
      const network = await openSilentNetwork(database.url);
      // Patience is what each of the two calls below waits for.
      const patience = { connectTimeoutMs: 1_000, retryForMs: 20_000 };
      const store = database.open({ base: "silent", url: network.url, ...patience });
      await addSample(store.documents, ["heard words"]);
      // Every connection of the pool is open: no call has to connect, so none fails at that.
      await Promise.all(Array.from({ length: 40 }, () => store.documents.totals()));
      network.swallow("all");
      await expect(store.documents.totals()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
      await expect(addSample(store.documents, ["lost words"])).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
      });
      network.restore();
      await eventually(async () => {
        expect(await foundTexts(store.documents, "words")).toEqual(["heard words"]);
      });
      await store.close();
      await network.close();
    });

    test("a read that waits for a free connection does not cut the write before it", async () => {
      const store = openDatabase({ ...DIRECT, url: database.url, statementTimeoutMs: 2_000 });
      await store.read(async () => {});
      let runs = 0;
      const begun = Promise.withResolvers<void>();
      const written = store.write(async (sql) => {
        runs += 1;
        // Longer than a read may be without a response, in statements that the server allows.
        for (let left = 16; left > 0; left--) {
          await sql`SELECT pg_sleep(0.5)`;
          begun.resolve();
        }
      });
      await begun.promise;
      expect(await store.read((sql) => sql`SELECT 1 AS one`)).toEqual([{ one: 1 }]);
      await written;
      expect(runs).toBe(1);
      await store.close();
    });

    test("rules are current although the listening connection went silent", async () => {
      const network = await openSilentNetwork(database.url);
      const patience = { connectTimeoutMs: 1_000, statementTimeoutMs: 2_000 };
      const store = database.open({ base: "deaf", url: network.url, ...patience });
      const other = database.open({ base: "deaf" });
      const before = await store.scopes.version();
      network.swallow("open");
      await other.scopes.apply([{ kind: "put-scope", scope: { id: "more", tier: "GENERAL" } }]);
      await eventually(async () => {
        expect(await store.scopes.version()).toBeGreaterThan(before);
      });
      await Promise.all([store.close(), other.close()]);
      await network.close();
    });
  });

  test.skipIf(!database?.restart)(
    "an unavailable database is reported, cached scopes still work, and everything recovers by itself",
    async () => {
      const store = database.open({ base: "away", retryForMs: 300 });
      await store.scopes.apply([{ kind: "put-scope", scope: { id: "general", tier: "GENERAL" } }]);
      const version = await store.scopes.version();
      await database.restart?.(async () => {
        await eventually(async () =>
          expect(await store.health()).toMatchObject({
            kind: "postgres",
            connected: false,
            issues: [{ code: "databaseAway", values: [] }],
          }),
        );
        await expect(store.documents.totals()).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
        expect(await store.scopes.version()).toBe(version);
      });
      await eventually(async () => expect((await store.health()).connected).toBe(true));
      await addSample(store.documents, ["back again"]);
      expect(await foundTexts(store.documents, "back")).toEqual(["back again"]);
      await expectNewsArrives(store);
      await store.close();
    },
  );
});

async function expectNewsArrives(store: Store): Promise<void> {
  const other = database.open({ base: "away" });
  const before = await store.scopes.version();
  await other.scopes.apply([{ kind: "put-scope", scope: { id: "more", tier: "GENERAL" } }]);
  await eventually(async () => expect(await store.scopes.version()).toBeGreaterThan(before));
  await other.close();
}

function openFleet(url: string) {
  const workers: ChildProcess[] = [];
  const launch = (role: string, ...args: string[]) =>
    spawn(process.execPath, ["test/conformance/children/store-process.ts", role, url, ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
  const kill = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return {
    worker: () => void workers.push(launch("worker")),
    async killWorker() {
      const at = Math.floor(Math.random() * workers.length);
      for (const worker of workers.splice(at, 1)) await kill(worker);
    },
    /** What it acknowledged, once it has finished. */
    async server(count: number): Promise<{ id: string; hash: string }[]> {
      const child = launch("server", String(count));
      const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
      const acknowledged: { id: string; hash: string }[] = [];
      for await (const line of lines) {
        const [id = "", hash = ""] = line.split(" ");
        acknowledged.push({ id, hash });
      }
      return acknowledged;
    },
    stop: () => Promise.all(workers.splice(0).map(kill)),
  };
}

/** Its commits are not the one that is meant. */
async function prepareBase(): Promise<void> {
  const store = openDatabase({ ...DIRECT, url: database.url });
  await store.read(async () => {});
  await store.close();
}

/** The server takes this for a crash: it ends all its processes and recovers. Until it notices, it looks healthy. */
async function killBackend(url: string, pid: number): Promise<void> {
  const before = await checkpointerOf(url);
  process.kill(pid, "SIGKILL");
  const isAnother = async () => {
    const now = await checkpointerOf(url).catch(() => before);
    return now !== before;
  };
  await eventually(async () => expect(await isAnother()).toBe(true));
}

async function checkpointerOf(url: string): Promise<unknown> {
  return asAdministrator(url, async (sql) => {
    const [row] = await sql`SELECT pid FROM pg_stat_activity WHERE backend_type = 'checkpointer'`;
    return row?.["pid"] ?? Promise.reject(new Error("no checkpointer yet"));
  });
}

/** Commits others until one has the number. */
async function commitUpTo(url: string, xid: bigint): Promise<void> {
  await asAdministrator(url, async (sql) => {
    await sql`CREATE TABLE IF NOT EXISTS committed (xid text)`;
    for (let last = 0n; last < xid; ) {
      const [row] =
        await sql`INSERT INTO committed VALUES (pg_current_xact_id()::text) RETURNING xid`;
      last = BigInt(row?.["xid"]);
    }
  });
}

async function breakConnections({ restart, url }: TempDatabase): Promise<void> {
  await (restart ? restart(() => sleep(500)) : cutConnections(url));
}

async function cutConnections(url: string): Promise<void> {
  await asAdministrator(
    url,
    (sql) => sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'knowledge-server' AND datname = current_database()`,
  );
}

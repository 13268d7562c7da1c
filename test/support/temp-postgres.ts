// A separate database for each test file, on a real server: yours by KNOWLEDGE_TEST_DATABASE_URL, or one
// that is started for the run, or one for the file alone.
import { randomBytes, randomUUID } from "node:crypto";
import { rm } from "node:fs/promises";
import postgres from "postgres";
import { type StartOptions, startPostgres, type TestPostgres } from "../../scripts/postgres.ts";
import { openLog } from "../../src/observe/log.ts";
import { openPostgres, type PostgresOptions } from "../../src/store/postgres/postgres.ts";
import type { Store } from "../../src/store/store.ts";
import { SHARED } from "./one-postgres.ts";
import { tempFolder } from "./temp-folder.ts";
import type { TempStore } from "./temp-store.ts";

export interface TempDatabase {
  readonly url: string;
  /** Only for a server that was started here. */
  readonly restart?: TestPostgres["restart"];
  /** The same: a streaming replica, with the URL of its copy of the database. */
  readonly replica?: () => Promise<TestPostgres>;
  open(options?: Partial<PostgresOptions>): Store;
  drop(): Promise<void>;
}

/** The server shares the processor with whatever else is tested. */
const PATIENT = {
  connectTimeoutMs: 60_000,
  statementTimeoutMs: 120_000,
  retryForMs: 60_000,
} as const;

/** Undefined if PostgreSQL is not available, which is reported on stderr. */
export async function tempDatabase(
  options: Pick<StartOptions, "settings"> & { readonly ownServer?: boolean } = {},
): Promise<TempDatabase | undefined> {
  const { ownServer = false, ...start } = options;
  const shared = ownServer ? undefined : process.env[SHARED];
  const server = shared ? sharedServer(shared) : await startPostgres(start);
  if (!server) return undefined;
  const name = `knowledge_test_${randomBytes(6).toString("hex")}`;
  await asAdministrator(server.url, (sql) => sql`CREATE DATABASE ${sql(name)}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  const log = openLog({ level: "warn" });
  return {
    url: url.href,
    ...(server.restart ? { restart: server.restart } : {}),
    ...(server.replica ? { replica: replicaOf(server.replica, url.pathname) } : {}),
    open: (options) => openPostgres({ url: url.href, log, ...PATIENT, ...options }),
    async drop() {
      if (!server.restart) {
        await asAdministrator(server.url, (sql) => sql`DROP DATABASE ${sql(name)} WITH (FORCE)`);
      }
      await server.stop();
    },
  };
}

/** A knowledge base of its own in the database, with a folder for files. */
export async function tempBase(database: TempDatabase | undefined): Promise<TempStore> {
  const dataDir = tempFolder("base");
  const base = randomUUID();
  const open = () => database?.open({ base }) as Store;
  const opened = [open()];
  return {
    store: opened[0] as Store,
    dataDir,
    async another() {
      opened.push(open());
      return opened.at(-1) as Store;
    },
    async dispose() {
      await Promise.all(opened.map((store) => store.close()));
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

function replicaOf(start: () => Promise<TestPostgres>, pathname: string) {
  return async () => {
    const started = await start();
    const url = new URL(started.url);
    url.pathname = pathname;
    return { ...started, url: url.href };
  };
}

function sharedServer(url: string): TestPostgres {
  return { url, stop: async () => {} };
}

export async function asAdministrator<T>(
  url: string,
  work: (sql: postgres.Sql) => Promise<T>,
): Promise<T> {
  // The driver does not catch a connection that is lost while it fetches types.
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

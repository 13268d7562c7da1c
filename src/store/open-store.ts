// Opens the store that the configuration names. Drivers are named here and in upkeep.ts, nowhere else.
import { mkdir } from "node:fs/promises";
import { KnowledgeError } from "../domain/errors.ts";
import type { Log } from "../observe/log.ts";
import type { Store, StoreHealth } from "./store.ts";

/** The part of the configuration that stores need. */
export interface StoreConfig {
  readonly dataDir: string;
  /** Absent: the embedded store. */
  readonly databaseUrl?: string | undefined;
  /** Its replicas. */
  readonly databaseReadUrls?: readonly string[] | undefined;
  readonly databaseBase: string;
  /** Of new originals: `s3://bucket/prefix`; absent: in the database. */
  readonly originalsBucket?: string | undefined;
  readonly awsRegion?: string | undefined;
  readonly s3Endpoint?: string | undefined;
}

export interface StoreParts {
  readonly kind?: StoreHealth["kind"];
  /** The entry file of the embedded store's threads. */
  readonly workerUrl: URL;
  /**
   * "once": the process exits after one read, and a thread would take longer to start than that. "soon": the thread
   * for it starts now.
   */
  readonly reads?: "once" | "soon" | undefined;
  readonly log: Log;
}

export async function openStore(config: StoreConfig, parts: StoreParts): Promise<Store> {
  const { dataDir, databaseUrl: url, databaseReadUrls: readUrls = [], databaseBase: base } = config;
  const { originalsBucket: place, awsRegion: region = "", s3Endpoint: endpoint } = config;
  if (url === undefined && place !== undefined) {
    const message =
      "A bucket for original files needs PostgreSQL: set --database-url, or leave out --originals-bucket.";
    throw new KnowledgeError("CONFIG_INVALID", message);
  }
  const { kind = url === undefined ? "sqlite" : "postgres", workerUrl, reads, log } = parts;
  if (kind === "sqlite") {
    const { openSqlite } = await import("./sqlite/sqlite.ts");
    const early = reads && ({ reads: reads === "once" ? "same-thread" : "started-early" } as const);
    return openSqlite({ dataDir, workerUrl, ...early, log });
  }
  if (url === undefined) {
    const message = "Specify the database with --database-url postgres://user@host/database";
    throw new KnowledgeError("CONFIG_INVALID", message);
  }
  // Files that are added go there first, and the search socket is in it. Whoever needs it reports why it is missing.
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch(() => undefined);
  const { openPostgres } = await import("./postgres/postgres.ts");
  return openPostgres({ url, readUrls, base, originals: { place, region, endpoint }, log });
}

/** The locks of files in the data folder, which is there with every store. */
export async function openFileLocks() {
  const { tryFileLock, isFileLocked } = await import("./sqlite/folder/file-lock.ts");
  return { take: tryFileLock, isTaken: isFileLocked };
}

// Backup, restore and repair of the embedded store: what people do to a knowledge base as a whole.
import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Config } from "./config/config.ts";
import { KnowledgeError } from "./domain/errors.ts";
import type { AddRequest } from "./domain/task.ts";
import type { Log } from "./observe/log.ts";
import { toChanges } from "./store/copy.ts";
import type { Store } from "./store/store.ts";
import { openStore } from "./stores.ts";
import type { Operations, RepairReport } from "./tools/operations.ts";

type Upkeep = Pick<Operations, "backup" | "restore" | "repair">;

export function openUpkeep(config: Config, log: Log): Upkeep {
  const { dataDir } = config;
  return {
    async backup(file, watch) {
      refuseServerStore(config);
      const { backupTo } = await import("./store/sqlite/backup.ts");
      return backupTo(dataDir, resolve(file), watch);
    },
    async restore(file, watch) {
      refuseServerStore(config);
      const { restoreFrom } = await import("./store/sqlite/backup.ts");
      return restoreFrom(resolve(file), dataDir, watch);
    },
    async repair({ force }) {
      refuseServerStore(config);
      const { findDamage, keptOriginals, salvage, setAside } = await import(
        "./store/sqlite/salvage.ts"
      );
      const damage = findDamage(dataDir);
      if (damage.length === 0 && !force) return { damage, queued: 0, scopes: 0, losses: [] };
      const { requests, scopes, losses } = salvage(dataDir);
      const setAsideAs = setAside(dataDir);
      log.warn("store.set-aside", { folder: setAsideAs, documents: requests.length });
      const store = await openStore(config, log, "sqlite");
      try {
        await store.scopes.apply(scopes.flatMap(toChanges));
        const queued = await queueAgain(store, dataDir, requests, keptOriginals(dataDir));
        return { damage, queued, scopes: scopes.length, losses, setAsideAs };
      } finally {
        await store.close();
        await takeOver(dataDir);
      }
    },
  };
}

async function takeOver(dataDir: string): Promise<void> {
  const { adoptOriginals } = await import("./store/sqlite/adopt.ts");
  const { openDatabase } = await import("./store/sqlite/database.ts");
  const database = openDatabase(dataDir);
  try {
    adoptOriginals(database, dataDir);
  } finally {
    database.close();
  }
}

/** Originals whose row was lost come back under a name made from their hash. */
async function queueAgain(
  store: Store,
  dataDir: string,
  requests: readonly AddRequest[],
  originals: readonly string[],
): Promise<RepairReport["queued"]> {
  const kept = new Set(originals);
  const named = new Set(requests.map(({ contentHash }) => contentHash));
  const nameless = await Promise.all(
    originals.filter((hash) => !named.has(hash)).map((hash) => namelessRequest(dataDir, hash)),
  );
  const all = [...requests.filter(({ contentHash }) => kept.has(contentHash)), ...nameless];
  for (const request of all) await store.tasks.enqueue(randomUUID(), request);
  return all.length;
}

async function namelessRequest(dataDir: string, hash: string): Promise<AddRequest> {
  const { size } = await stat(join(dataDir, "originals", hash.slice(0, 2), hash));
  return {
    contentHash: hash,
    filename: `recovered-${hash.slice(0, 8)}`,
    sizeBytes: size,
    metadata: {},
    forceOcr: false,
  };
}

function refuseServerStore({ databaseUrl }: Config): void {
  if (databaseUrl === undefined) return;
  throw new KnowledgeError(
    "CONFIG_INVALID",
    "This is for the embedded store. For PostgreSQL use its own tools (pg_dump), or copy it first: knowledge-server copy --from postgres --to sqlite.",
  );
}

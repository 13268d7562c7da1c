// Chooses the store by the configuration; the drivers are named here and nowhere else.
import type { Config } from "./config/config.ts";
import { KnowledgeError } from "./domain/errors.ts";
import { entryUrl } from "./lazy.ts";
import type { Log } from "./observe/log.ts";
import type { Store } from "./store/store.ts";
import type { CopyRequest, CopyWatch, Operations, StoreKind } from "./tools/operations.ts";

export interface StoreChoice {
  readonly kind?: StoreKind;
  /**
   * "once": the process exits after one read, and a thread would take longer to start than that. "soon": the thread
   * for it starts now.
   */
  readonly reads?: "once" | "soon" | undefined;
}

export async function openStore(
  config: Config,
  log: Log,
  { kind = usualKind(config), reads }: StoreChoice = {},
): Promise<Store> {
  if (kind === "sqlite") {
    const { openSqlite } = await import("./store/sqlite/sqlite.ts");
    return openSqlite({
      dataDir: config.dataDir,
      workerUrl: entryUrl("store/sqlite/thread/worker"),
      ...(reads && { reads: reads === "once" ? "same-thread" : "started-early" }),
      log,
    });
  }
  if (config.databaseUrl === undefined) {
    const message = "Specify the database with --database-url postgres://user@host/database";
    throw new KnowledgeError("CONFIG_INVALID", message);
  }
  const { openPostgres } = await import("./store/postgres/postgres.ts");
  return openPostgres({ url: config.databaseUrl, base: config.databaseBase, log });
}

function usualKind(config: Config): StoreKind {
  return config.databaseUrl === undefined ? "sqlite" : "postgres";
}

export function copyKnowledge(config: Config, log: Log): Operations["copy"] {
  return async ({ from, to }: CopyRequest, { signal, onProgress }: CopyWatch) => {
    const source = await openStore(config, log, { kind: from });
    try {
      const target = await openStore(config, log, { kind: to });
      const { copyStore } = await import("./store/core/copy.ts");
      const copied = copyStore({ from: source, to: target, signal, onProgress });
      return await copied.finally(() => target.close());
    } finally {
      await source.close();
    }
  };
}

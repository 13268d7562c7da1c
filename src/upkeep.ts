// Maintenance of an embedded knowledge base as a whole (backup, restore, repair), and this process's lock on its
// folder.
import { resolve } from "node:path";
import type { Config } from "./config/config.ts";
import { KnowledgeError } from "./domain/errors.ts";
import type { Log } from "./observe/log.ts";
import type { Operations } from "./tools/operations.ts";

export interface DataFolder {
  /** Runs maintenance while no other process has the folder open; refused where one has. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  close(): void;
}

/**
 * Refused while the folder is under maintenance, or when a newer program wrote it. A folder that cannot be used for
 * another reason is reported by the store, at its first use.
 */
export async function openDataFolder(config: Config, command: string): Promise<DataFolder> {
  const { dataDir, databaseUrl, tools } = config;
  const isUsed = databaseUrl === undefined && tools.some((family) => family !== "file");
  const { holdFolder, takeAlone } = await import("./store/sqlite/folder/hold.ts");
  const hold = () => (isUsed ? holdFolder(dataDir, command) : { release: () => {} });
  const state = { held: hold() };
  return {
    async alone(work) {
      state.held.release();
      try {
        const lock = takeAlone(dataDir, command);
        try {
          return await work();
        } finally {
          lock.release();
        }
      } finally {
        state.held = hold();
      }
    },
    close: () => state.held.release(),
  };
}

type Upkeep = Pick<Operations, "backup" | "restore" | "repair" | "examine">;

export function openUpkeep(config: Config, folder: DataFolder, log: Log): Upkeep {
  const { dataDir } = config;
  return {
    async backup(file, { force = false, ...watch }) {
      refuseServerStore(config);
      const { backupTo } = await import("./store/sqlite/upkeep/backup.ts");
      return backupTo({ dataDir, file: resolve(file), force }, watch);
    },
    async restore(file, watch) {
      refuseServerStore(config);
      const { restoreFrom } = await import("./store/sqlite/upkeep/restore.ts");
      return folder.alone(() => restoreFrom(resolve(file), dataDir, watch));
    },
    async examine() {
      if (config.databaseUrl !== undefined) return undefined;
      const { examineFolder } = await import("./store/sqlite/check/examine.ts");
      return examineFolder(dataDir);
    },
    async repair({ force }) {
      refuseServerStore(config);
      const { repairFolder } = await import("./store/sqlite/repair/repair.ts");
      const report = await folder.alone(async () => repairFolder(dataDir, { force }));
      if (report.setAsideAs !== undefined) {
        const { setAsideAs, losses } = report;
        log.warn("store.set-aside", { folder: setAsideAs, losses: losses.length });
      }
      return report;
    },
  };
}

function refuseServerStore({ databaseUrl }: Config): void {
  if (databaseUrl === undefined) return;
  throw new KnowledgeError(
    "CONFIG_INVALID",
    "This command is for the embedded store. For PostgreSQL use its own tools (pg_dump), or copy it first: knowledge-server copy --from postgres --to sqlite.",
  );
}

// What a process has of its knowledge base: the lock on its folder, the store, and maintenance of the whole (backup,
// restore, repair, copy).
import { resolve } from "node:path";
import { KnowledgeError } from "../domain/errors.ts";
import type { Log } from "../observe/log.ts";
import type { CopyProgress } from "./core/copy.ts";
import { openStore, type StoreConfig, type StoreParts } from "./open-store.ts";
import type { BackupWatch } from "./ports/upkeep.ts";
import { lockExclusive, lockShared } from "./sqlite/folder/lock.ts";
import type { Store, StoreHealth } from "./store.ts";

type Kind = StoreHealth["kind"];

export interface DataFolderParts extends Pick<StoreParts, "workerUrl" | "log"> {
  /** The command that this process runs, for those who are refused meanwhile. */
  readonly command: string;
  /** Whether this process uses a store at all. */
  readonly isUsed: boolean;
}

/**
 * Refused while the folder is under maintenance, or when a newer program wrote it. A folder that cannot be used for
 * another reason is reported by the store, at its first use.
 */
export function openDataFolder(config: StoreConfig, parts: DataFolderParts) {
  const { command, isUsed, workerUrl, log } = parts;
  const open: Open = (which) => openStore(config, { ...which, workerUrl, log });
  const isHeld = isUsed && config.databaseUrl === undefined;
  const hold = () => (isHeld ? lockShared(config.dataDir, command) : { release: () => {} });
  const state = { held: hold() };
  /** Runs maintenance while no other process has the folder open; refused where one has. */
  const alone: Alone = async (work) => {
    state.held.release();
    try {
      const lock = lockExclusive(config.dataDir, command);
      return await work().finally(() => lock.release());
    } finally {
      state.held = hold();
    }
  };
  return {
    openStore: open,
    upkeep: { ...embeddedUpkeep(config, log, alone), copy: copyKnowledge(open) },
    close: () => state.held.release(),
  };
}

export type DataFolder = ReturnType<typeof openDataFolder>;

type Open = (which: Pick<StoreParts, "kind" | "reads">) => Promise<Store>;
type Alone = <Result>(work: () => Promise<Result>) => Promise<Result>;

function embeddedUpkeep(config: StoreConfig, log: Log, alone: Alone) {
  const { dataDir } = config;
  return {
    async backup(file: string, options: BackupWatch & { readonly force?: boolean }) {
      refuseServerStore(config);
      const { force = false, ...watch } = options;
      const { backupTo } = await import("./sqlite/upkeep/backup.ts");
      return backupTo({ dataDir, file: resolve(file), force }, watch);
    },
    async restore(file: string, watch: BackupWatch) {
      refuseServerStore(config);
      const { restoreFrom } = await import("./sqlite/upkeep/restore.ts");
      return alone(async () => restoreFrom(resolve(file), dataDir, watch));
    },
    async examine() {
      if (config.databaseUrl !== undefined) return undefined;
      const { examineFolder } = await import("./sqlite/upkeep/examine.ts");
      return examineFolder(dataDir);
    },
    async repair({ force }: { readonly force: boolean }) {
      refuseServerStore(config);
      const { repairFolder } = await import("./sqlite/repair/repair.ts");
      const report = await alone(async () => repairFolder(dataDir, { force }));
      if (report.setAsideAs !== undefined) {
        const { setAsideAs, losses } = report;
        log.warn("store.set-aside", { folder: setAsideAs, losses: losses.length });
      }
      return report;
    },
  };
}

function refuseServerStore({ databaseUrl, originalsBucket }: StoreConfig): void {
  if (databaseUrl === undefined) return;
  const files =
    originalsBucket === undefined ? "" : ", then copy the bucket with the original files";
  throw new KnowledgeError(
    "CONFIG_INVALID",
    `This command is for the embedded store. For PostgreSQL use its own tools (pg_dump)${files}, or copy it first: knowledge-server copy --from postgres --to sqlite.`,
  );
}

interface CopyWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CopyProgress) => void;
}

function copyKnowledge(open: Open) {
  return async (way: { readonly from: Kind; readonly to: Kind }, watch: CopyWatch) => {
    const from = await open({ kind: way.from });
    try {
      const to = await open({ kind: way.to });
      const { copyStore } = await import("./core/copy.ts");
      return await copyStore({ from, to, ...watch }).finally(() => to.close());
    } finally {
      await from.close();
    }
  };
}

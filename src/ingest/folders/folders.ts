// The watched folders: each is watched by one process at a time, the one that has its lock.
import { createHash } from "node:crypto";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { Perform } from "../../domain/call/act.ts";
import type { Metadata } from "../../domain/document.ts";
import { toKnowledgeError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import type { DocumentStore } from "../../store/store.ts";
import type { Ingest } from "../ingest.ts";
import { type FileChange, type Folder, type FolderState, openFolder } from "./folder.ts";
import { readLedger } from "./ledger.ts";
import { isHeld, takeLock } from "./lock.ts";
import { type Bell, DEBOUNCE_MS, openBell, watchFolder } from "./watch.ts";

export interface WatchedFolder {
  readonly path: string;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly metadata?: Metadata | undefined;
}

export interface FoldersOptions {
  readonly folders: readonly WatchedFolder[];
  /** Where the ledgers are kept. */
  readonly ledgerDir: string;
  readonly documents: Pick<DocumentStore, "findByHash" | "remove" | "adopt">;
  readonly ingest: Pick<Ingest, "enqueue" | "finish">;
  readonly perform: Perform;
  readonly log: Log;
  /** Called with each file's outcome. */
  readonly onFile?: ((change: FileChange) => void) | undefined;
}

export type { FileChange } from "./folder.ts";

export interface FolderReport extends FolderState {
  readonly path: string;
  /** `elsewhere`: another process watches it. `unavailable`: it cannot be read now, so nothing is removed. */
  readonly status: "starting" | "fresh" | "settling" | "unavailable" | "elsewhere";
  readonly problem?: string;
}

export interface Folders {
  reports(): readonly FolderReport[];
  /** Resolves when every folder has been synchronised at least once. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

// Watchers miss events on network mounts and when the kernel's limits are reached.
const SWEEP_MS = 30_000;
const NO_FILES: FolderState = { files: 0, refused: [], skipped: 0, waiting: 0 };

export function openFolders(options: FoldersOptions): Folders {
  const closing = new AbortController();
  const keepers = options.folders.map((folder) => keep(folder, options, closing.signal));
  return {
    reports: () => keepers.map((keeper) => keeper.report()),
    settled: async () => {
      await Promise.all(keepers.map((keeper) => keeper.settledOnce));
    },
    async close() {
      closing.abort();
      await Promise.all(keepers.map((keeper) => keeper.ended));
    },
  };
}

/** One folder while it is watched. */
interface Keeper extends FoldersOptions {
  readonly watched: WatchedFolder;
  readonly signal: AbortSignal;
  readonly bell: Bell;
  readonly once: PromiseWithResolvers<void>;
  report: Pick<FolderReport, "status" | "problem">;
  folder?: Folder;
}

function keep(watched: WatchedFolder, options: FoldersOptions, signal: AbortSignal) {
  const keeper: Keeper = {
    ...options,
    watched,
    signal,
    bell: openBell(signal),
    once: Promise.withResolvers(),
    report: { status: "starting" },
  };
  return {
    report: (): FolderReport => ({
      path: watched.path,
      ...(keeper.folder?.state() ?? NO_FILES),
      ...keeper.report,
    }),
    settledOnce: keeper.once.promise,
    ended: keepAlive(keeper),
  };
}

async function keepAlive(keeper: Keeper): Promise<void> {
  const { signal, bell, once, log } = keeper;
  while (!signal.aborted) {
    await live(keeper).catch((error: unknown) => {
      if (signal.aborted) return;
      keeper.report = { status: "unavailable", problem: toKnowledgeError(error).message };
      log.warn("ingest.folder-unavailable", { error });
      once.resolve();
    });
    if (!signal.aborted) await bell.wait(SWEEP_MS / 10);
  }
  once.resolve();
}

async function live(keeper: Keeper): Promise<void> {
  const { watched, signal, bell, once, log } = keeper;
  const root = await realpath(watched.path);
  const name = createHash("sha256").update(root).digest("hex").slice(0, 24);
  const ledgerPath = join(keeper.ledgerDir, `${name}.json`);
  const release = await takeLock(`${ledgerPath}.lock`, signal, () => {
    keeper.report = { status: "elsewhere" };
    once.resolve();
  });
  const watcher = watchFolder(root, bell.ring, log);
  try {
    const folder = await openFolder({ ...keeper, ...watched, root, ledgerPath });
    keeper.folder = folder;
    while (!signal.aborted) {
      keeper.report = { status: "settling" };
      const unquiet = await folder.settle();
      keeper.report = { status: "fresh" };
      once.resolve();
      await bell.wait(unquiet ? DEBOUNCE_MS : SWEEP_MS);
    }
  } finally {
    watcher?.close();
    await release();
  }
}

export interface FolderSummary {
  readonly path: string;
  readonly files: number;
  readonly refused: number;
  /** False if no process is watching it now. The next one that does will bring it up to date. */
  readonly watched: boolean;
  readonly settledAt: string;
}

/** Every folder that this knowledge base has watched, in any process. */
export async function summariseFolders(ledgerDir: string): Promise<readonly FolderSummary[]> {
  const names = await readdir(ledgerDir).catch(() => [] as string[]);
  const ledgers = names
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(ledgerDir, name));
  const found = await Promise.all(
    ledgers.map(async (path) => {
      const ledger = await readLedger(path);
      if (!ledger) return [];
      const { root, files, settledAt } = ledger;
      const entries = Object.values(files);
      const refused = entries.filter(({ refused, isPlain }) => refused && !isPlain).length;
      const watched = await isHeld(`${path}.lock`);
      return [{ path: root, files: entries.length, refused, watched, settledAt }];
    }),
  );
  return found.flat();
}

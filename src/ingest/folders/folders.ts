// The watched folders: each is watched by one process at a time, the one that has its lock.
import { createHash } from "node:crypto";
import { type FSWatcher, watch } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { defined } from "../../domain/defined.ts";
import { toKnowledgeError } from "../../domain/errors.ts";
import { ignoreMissing } from "../../files/regular-file.ts";
import type { Log } from "../../observe/log.ts";
import {
  type Folder,
  type FolderParts,
  type FolderState,
  openFolder,
  type WatchedFolder,
} from "./folder.ts";
import { readLedger } from "./ledger.ts";

export type { FileChange, WatchedFolder } from "./folder.ts";

interface FoldersOptions extends FolderParts {
  readonly folders: readonly WatchedFolder[];
  readonly ledgerDir: string;
  readonly locks: FileLocks;
}

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

// A pass is made this often, because watchers miss events on network mounts and when the kernel's limits are reached.
const SWEEP_MS = 30_000;
const NO_FILES: FolderState = { files: 0, refused: [], skipped: 0, waiting: 0 };

export function openFolders(options: FoldersOptions): Folders {
  const closing = new AbortController();
  const watchers = options.folders.map((folder) => startWatching(folder, options, closing.signal));
  return {
    reports: () => watchers.map((watcher) => watcher.report()),
    settled: async () => {
      await Promise.all(watchers.map((watcher) => watcher.settledOnce));
    },
    async close() {
      closing.abort();
      await Promise.all(watchers.map((watcher) => watcher.ended));
    },
  };
}

/** One folder while it is watched. */
interface Watcher extends FoldersOptions {
  readonly watched: WatchedFolder;
  readonly signal: AbortSignal;
  readonly changes: ReturnType<typeof openChangeSignal>;
  readonly once: PromiseWithResolvers<void>;
  report: Pick<FolderReport, "status" | "problem">;
  folder?: Folder;
}

function startWatching(watched: WatchedFolder, options: FoldersOptions, signal: AbortSignal) {
  const state: Watcher = {
    ...options,
    watched,
    signal,
    changes: openChangeSignal(signal),
    once: Promise.withResolvers(),
    report: { status: "starting" },
  };
  return {
    report: (): FolderReport => ({
      path: watched.path,
      ...(state.folder?.state() ?? NO_FILES),
      ...state.report,
    }),
    settledOnce: state.once.promise,
    ended: watchUntilClosed(state),
  };
}

async function watchUntilClosed(state: Watcher): Promise<void> {
  const { signal, changes, once, log } = state;
  while (!signal.aborted) {
    await watchOnce(state).catch((error: unknown) => {
      if (signal.aborted) return;
      state.report = { status: "unavailable", problem: toKnowledgeError(error).message };
      log.warn("ingest.folder-unavailable", { error });
      once.resolve();
    });
    if (!signal.aborted) await changes.wait(SWEEP_MS / 10);
  }
  once.resolve();
}

async function watchOnce(state: Watcher): Promise<void> {
  const { watched, signal, changes, once, log, locks } = state;
  const root = await realpath(watched.path);
  const name = createHash("sha256").update(root).digest("hex").slice(0, 24);
  const ledgerPath = join(state.ledgerDir, `${name}.json`);
  const onBusy = () => {
    state.report = { status: "elsewhere" };
    once.resolve();
  };
  const lock = await takeLock(lockOf(ledgerPath), { locks, signal, onBusy });
  const watcher = watchFolder(root, changes.notify, log);
  try {
    const folder = await openFolder({ ...state, ...watched, root, ledgerPath });
    state.folder = folder;
    while (!signal.aborted) {
      state.report = { status: "settling" };
      const isUnsettled = await folder.sync();
      state.report = { status: "fresh" };
      once.resolve();
      await changes.wait(isUnsettled ? DEBOUNCE_MS : SWEEP_MS);
    }
  } finally {
    watcher?.close();
    lock.release();
  }
}

const lockOf = (ledgerPath: string) => `${ledgerPath}.lock.db`;

export interface FolderSummary {
  /** Absent for the general one. */
  readonly scope?: string;
  readonly path: string;
  readonly files: number;
  readonly refused: number;
  /** False if no process is watching it now. The next one that does will bring it up to date. */
  readonly watched: boolean;
  readonly settledAt: string;
}

/** Every folder that this knowledge base has watched, in any process. */
export async function summariseFolders(
  ledgerDir: string,
  locks: FileLocks,
): Promise<readonly FolderSummary[]> {
  const found: FolderSummary[] = [];
  for (const name of (await readdir(ledgerDir).catch(ignoreMissing)) ?? []) {
    const path = join(ledgerDir, name);
    const ledger = name.endsWith(".json") ? await readLedger(path) : undefined;
    if (!ledger) continue;
    const { root, scope, settledAt } = ledger;
    const entries = Object.values(ledger.files);
    const refused = entries.filter((entry) => entry.refused && !entry.isPlain).length;
    const watched = locks.isTaken(lockOf(path));
    const counts = { files: entries.length, refused };
    found.push({ path: root, ...defined({ scope }), ...counts, watched, settledAt });
  }
  return found;
}

const DEBOUNCE_MS = 250;

/** Notices changes below a folder, debounced: a burst of them counts as one. */
function openChangeSignal(signal: AbortSignal) {
  let isNotified = false;
  let wake = () => {};
  signal.addEventListener("abort", () => wake());
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  return {
    notify() {
      isNotified = true;
      wake();
    },
    /** Waits for a change and then for the rest of the burst, or until the time is up. */
    async wait(ms: number) {
      if (!isNotified && !signal.aborted) await sleep(ms);
      if (isNotified && !signal.aborted) await wait(DEBOUNCE_MS);
      isNotified = false;
    },
  };
}

export function watchFolder(root: string, notify: () => void, log: Log): FSWatcher | undefined {
  try {
    const watcher = watch(root, { recursive: true, persistent: false }, notify);
    watcher.on("error", (error) => log.warn("ingest.watch-failed", { error }));
    return watcher;
  } catch (error) {
    log.warn("ingest.watch-failed", { error });
    return undefined;
  }
}

/**
 * Locks that the operating system keeps: one ends with its process, so that none is ever left behind, taken over or
 * released by another.
 */
export interface FileLocks {
  /** Undefined while another has it. */
  take(path: string): { release(): void } | undefined;
  isTaken(path: string): boolean;
}

interface Waiting {
  readonly locks: FileLocks;
  readonly signal: AbortSignal;
  /** Called once if another process has it. */
  readonly onBusy: () => void;
}

const RETRY_MS = 1_000;
/** A process that only looks whether the lock is taken has it for a moment. */
const FIRST_RETRY_MS = 50;

/** Allows one watcher per folder among the processes that share a data folder. */
export async function takeLock(path: string, { locks, signal, onBusy }: Waiting) {
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted();
    const lock = locks.take(path);
    if (lock !== undefined) return lock;
    if (attempt === 1) onBusy();
    await wait(attempt === 0 ? FIRST_RETRY_MS : RETRY_MS, undefined, { signal });
  }
}

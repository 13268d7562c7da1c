// The watched folders: each is watched by one process at a time, the one that has its lock.
export type { FileChange } from "./folder.ts";

import { createHash } from "node:crypto";
import { type FSWatcher, watch } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Perform } from "../../domain/call/audit-event.ts";
import type { Metadata } from "../../domain/document.ts";
import { toKnowledgeError } from "../../domain/errors.ts";
import { ignoreMissing } from "../../files/regular-file.ts";
import type { Log } from "../../observe/log.ts";
import type { DocumentStore } from "../../store/store.ts";
import type { Ingest } from "../ingest.ts";
import { type FileChange, type Folder, type FolderState, openFolder } from "./folder.ts";
import { readLedger } from "./ledger.ts";

export interface WatchedFolder {
  readonly path: string;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly metadata?: Metadata | undefined;
}

export interface FoldersOptions {
  readonly folders: readonly WatchedFolder[];
  readonly ledgerDir: string;
  readonly documents: Pick<DocumentStore, "findByHash" | "remove" | "adopt">;
  readonly ingest: Pick<Ingest, "enqueue" | "finish">;
  readonly perform: Perform;
  readonly maxFileBytes: number;
  readonly locks: FileLocks;
  readonly log: Log;
  readonly onFile?: ((change: FileChange) => void) | undefined;
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
  readonly changes: ChangeSignal;
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
  const names = (await readdir(ledgerDir).catch(ignoreMissing)) ?? [];
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
      const watched = locks.isTaken(lockOf(path));
      return [{ path: root, files: entries.length, refused, watched, settledAt }];
    }),
  );
  return found.flat();
}

// Notices changes below a folder, debounced: a burst of them counts as one.

export const DEBOUNCE_MS = 250;

export interface ChangeSignal {
  notify(): void;
  /** Waits for a change and then for the rest of the burst, or until the time is up. */
  wait(ms: number): Promise<void>;
}

export function openChangeSignal(signal: AbortSignal): ChangeSignal {
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
    async wait(ms: number) {
      if (!isNotified && !signal.aborted) await sleep(ms);
      if (isNotified && !signal.aborted)
        await new Promise((resolve) => setTimeout(resolve, DEBOUNCE_MS));
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

// Allows one watcher per folder among the processes that share a data folder.

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

export async function takeLock(path: string, { locks, signal, onBusy }: Waiting) {
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted();
    const lock = locks.take(path);
    if (lock !== undefined) return lock;
    if (attempt === 1) onBusy();
    await wait(attempt === 0 ? FIRST_RETRY_MS : RETRY_MS, undefined, { signal });
  }
}

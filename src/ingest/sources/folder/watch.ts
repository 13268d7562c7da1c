// Watched folders: sources that are synced when their files change. Each is watched by one process at a time, the one that
// has its lock.
//
//   starting ──lock taken──▶ settling ──synced──▶ fresh ──files changed──▶ settling
//      ├─ another process has the lock ──▶ elsewhere ──lock taken──▶ settling
//      └─ any step fails ──▶ unavailable ──after a while──▶ starting
import { createHash } from "node:crypto";
import { once } from "node:events";
import { type FSWatcher, watch } from "node:fs";
import { realpath } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { backgroundEvent } from "../../../domain/call/audit-event.ts";
import { defined } from "../../../domain/defined.ts";
import { fromSystem, toKnowledgeError } from "../../../domain/errors.ts";
import type { Source, SourceSettings } from "../../../domain/source.ts";
import { fromTaskFailure, type TaskProgress } from "../../../domain/task.ts";
import type { Log } from "../../../observe/log.ts";
import { settlesWithin } from "../../../observe/silence.ts";
import type { Ingest, IngestOptions } from "../../ingest.ts";
import type { ItemChange } from "../ledger.ts";
import type { Sources } from "../schedule.ts";
import { versionOf } from "./folder.ts";
import { scanFolder } from "./scan.ts";

type Chosen = Pick<SourceSettings, "include" | "exclude" | "metadata" | "scope">;

export type WatchedFolder = { readonly path: string } & {
  readonly [Each in keyof Chosen]: Chosen[Each] | undefined;
};

/** The outcome for one file. `present`: the knowledge base already had its content. */
export interface FileChange extends Pick<ItemChange, "change" | "reason"> {
  readonly path: string;
}

export interface FoldersOptions
  extends Pick<IngestOptions, "store" | "perform" | "log" | "watchLocksDir"> {
  readonly sources: Sources;
  readonly finish: Ingest["finish"];
  readonly folders: readonly WatchedFolder[];
  readonly locks: FileLocks;
  readonly onFile?: ((change: FileChange) => void) | undefined;
  /** Calls it for every item of a source that this process changes. */
  readonly listen: (onItem: (change: ItemChange) => void) => void;
}

export interface FolderReport {
  readonly path: string;
  readonly files: number;
  /** Files that could not be added. */
  readonly refused: number;
  /** Pictures without text. */
  readonly skipped: number;
  readonly waiting: number;
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

// The folder is looked at this often, because watchers miss events on network mounts and when the kernel's limits are
// reached.
const SWEEP_MS = 30_000;
// A file touched more recently than this may still be being written.
const QUIET_MS = 300;
/** Files that failed for a reason that may be over are tried again after this time. */
const RETRY_MS = 600_000;
/** A file that was changed while another one had the same content may have to be added again. */
const MAX_SYNCS = 3;

export function openFolders(options: FoldersOptions): Folders {
  const closing = new AbortController();
  const { signal } = closing;
  const closed = once(signal, "abort").then(() => undefined);
  const watchers = options.folders.map((folder) =>
    startWatching(folder, { ...options, signal, closed }),
  );
  return {
    reports: () => watchers.map(({ state }) => ({ path: state.watched.path, ...state.report })),
    settled: async () => {
      await Promise.all(watchers.map(({ state }) => state.settledOnce.promise));
    },
    async close() {
      closing.abort();
      await Promise.all(watchers.map(({ ended }) => ended));
    },
  };
}

/** One folder while it is watched. */
interface Watcher extends FoldersOptions {
  readonly watched: WatchedFolder;
  readonly signal: AbortSignal;
  readonly closed: Promise<undefined>;
  readonly changes: ReturnType<typeof openChangeSignal>;
  readonly settledOnce: PromiseWithResolvers<void>;
  /** Its source, once it has one. */
  source?: { readonly id: string; readonly address: string };
  report: Omit<FolderReport, "path">;
}

function startWatching(
  watched: WatchedFolder,
  options: FoldersOptions & Pick<Watcher, "signal" | "closed">,
) {
  const { signal } = options;
  const state: Watcher = {
    ...{ ...options, watched, changes: openChangeSignal(signal) },
    settledOnce: Promise.withResolvers(),
    report: { status: "starting", files: 0, refused: 0, skipped: 0, waiting: 0 },
  };
  const { onFile } = options;
  if (onFile)
    options.listen(({ source, item, ...change }) => {
      const { id, address = "" } = state.source ?? {};
      if (source === id && !signal.aborted) onFile({ path: join(address, item), ...change });
    });
  return { state, ended: watchUntilClosed(state) };
}

function setStatus(state: Watcher, status: FolderReport["status"], problem?: string): void {
  const { problem: _, ...report } = state.report;
  state.report = { ...report, status, ...defined({ problem }) };
  if (status !== "settling") state.settledOnce.resolve();
}

async function watchUntilClosed(state: Watcher): Promise<void> {
  const { signal, changes, log } = state;
  while (!signal.aborted) {
    await watchOnce(state).catch((error: unknown) => {
      if (signal.aborted) return;
      setStatus(state, "unavailable", toKnowledgeError(error).message);
      log.warn("ingest.folder-unavailable", { error });
    });
    if (!signal.aborted) await changes.wait(SWEEP_MS / 10);
  }
  state.settledOnce.resolve();
}

async function watchOnce(state: Watcher): Promise<void> {
  const { signal, changes, log, locks, watchLocksDir } = state;
  const { path, ...settings } = state.watched;
  const address = await realpath(path).catch((thrown: unknown) => {
    throw fromSystem(thrown, "file");
  });
  if (state.report.status === "starting") setStatus(state, "settling");
  const given = { kind: "folder", address, settings: defined(settings) } as const;
  const id = await state.sources.put(given, "anywhere");
  state.source = { id, address };
  const onBusy = () => setStatus(state, "elsewhere");
  const lock = await takeLock(lockOf(watchLocksDir, id), { locks, signal, onBusy });
  const watcher = watchFolder(address, changes.notify, log);
  try {
    await follow(id, address, state);
  } finally {
    watcher?.close();
    lock.release();
  }
}

async function follow(id: string, root: string, state: Watcher): Promise<void> {
  let last = { stamps: "", until: Number.NEGATIVE_INFINITY };
  while (!state.signal.aborted) {
    const { stamps, isUnsettled } = await lookAt(root, state);
    if (stamps !== last.stamps || performance.now() > last.until) {
      setStatus(state, "settling");
      const isDone = await syncUntilWhole(id, state);
      last = { stamps, until: isDone ? Number.POSITIVE_INFINITY : performance.now() + RETRY_MS };
    }
    if (state.signal.aborted) return;
    setStatus(state, "fresh");
    await state.changes.wait(isUnsettled ? DEBOUNCE_MS : SWEEP_MS);
  }
}

/** All files and their versions, to see whether there is anything to sync. */
async function lookAt(root: string, { watched, signal }: Watcher) {
  const found = await scanFolder({ ...watched, root, signal }).catch((thrown: unknown) => {
    throw fromSystem(thrown, "file");
  });
  const hash = createHash("sha256");
  for (const [path, stamp] of found) hash.update(`${path}\0${versionOf(stamp)}\0`);
  const now = Date.now();
  const isUnsettled = [...found.values()].some(({ mtimeMs }) => Math.abs(now - mtimeMs) < QUIET_MS);
  return { stamps: hash.digest("hex"), isUnsettled };
}

/** False if a file failed for a reason that may be over the next time. */
async function syncUntilWhole(id: string, state: Watcher): Promise<boolean> {
  for (let syncs = 1; ; syncs += 1) {
    await syncOnce(id, state);
    const items = await state.store.sources.items(id);
    const failed = items.filter(({ failure = "none" }) => failure !== "none");
    const skipped = items.filter(({ failure }) => failure === "none").length;
    const counts = { files: items.length, refused: failed.length, skipped, waiting: 0 };
    state.report = { ...state.report, ...counts };
    state.log.info("ingest.folder-settled", counts);
    const isMissing = items.some((item) => item.isMissing);
    if (state.signal.aborted || !isMissing || syncs === MAX_SYNCS)
      return failed.every(({ version }) => version !== undefined);
  }
}

async function syncOnce(id: string, state: Watcher): Promise<void> {
  const { sources, finish, perform, signal } = state;
  const before = (await sources.list()).find((source) => source.id === id);
  if (before?.isPaused) return;
  const event = backgroundEvent("source-sync", { source: id });
  const task = await perform(event, () => sources.sync(id, signal));
  // When this process closes, the task goes on in another one.
  const onProgress = ({ totalSteps, completedSteps }: TaskProgress) => {
    state.report = { ...state.report, waiting: totalSteps - completedSteps };
  };
  const done = finish(task.id, { signal: NEVER, onProgress });
  const ended = await Promise.race([done, state.closed]);
  if (ended?.failure) throw fromTaskFailure(ended.failure);
  // It may have looked at the files before they changed.
  if (ended && ended.id === before?.task) await syncOnce(id, state);
}

const NEVER = new AbortController().signal;

const lockOf = (watchLocksDir: string, id: string) => join(watchLocksDir, `${id}.lock.db`);

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

/** Every folder that has been synced, by any process. */
export function summariseFolders(
  sources: readonly Source[],
  { watchLocksDir, locks }: Pick<FoldersOptions, "watchLocksDir" | "locks">,
): readonly FolderSummary[] {
  return sources.flatMap(({ id, kind, address: path, settings, items, failed, lastRun }) => {
    if (kind !== "folder" || !lastRun) return [];
    const watched = locks.isTaken(lockOf(watchLocksDir, id));
    const counts = { files: items, refused: failed, settledAt: lastRun.finishedAt };
    return [{ path, ...defined({ scope: settings.scope }), ...counts, watched }];
  });
}

const DEBOUNCE_MS = 250;

/** Notices changes below a folder, debounced: a burst of them counts as one. */
function openChangeSignal(signal: AbortSignal) {
  let noticed = Promise.withResolvers<void>();
  const notify = () => noticed.resolve();
  signal.addEventListener("abort", notify);
  return {
    notify,
    /** Waits for a change and then for the rest of the burst, or until the time is up. */
    async wait(ms: number) {
      const isChanged = !signal.aborted && (await settlesWithin(noticed.promise, ms));
      if (isChanged && !signal.aborted) await wait(DEBOUNCE_MS);
      noticed = Promise.withResolvers();
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

const RETRY_LOCK_MS = 1_000;
/** A process that only looks whether the lock is taken has it for a moment. */
const FIRST_RETRY_MS = 50;

/** Allows one watcher per folder among the processes that share a data folder. */
export async function takeLock(path: string, { locks, signal, onBusy }: Waiting) {
  for (let attempt = 0; ; attempt += 1) {
    signal.throwIfAborted();
    const lock = locks.take(path);
    if (lock !== undefined) return lock;
    if (attempt === 1) onBusy();
    await wait(attempt === 0 ? FIRST_RETRY_MS : RETRY_LOCK_MS, undefined, { signal });
  }
}

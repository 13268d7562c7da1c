// The write path: sources become durable tasks, which this or another process works on.

import type { ChunkOptions } from "../chunk/chunk.ts";
import type { Perform } from "../domain/call/audit-event.ts";
import { GENERAL_SCOPE } from "../domain/call/grants.ts";
import { isSeen, type Sight } from "../domain/call/sight.ts";
import { defined } from "../domain/defined.ts";
import type { StoredDocument } from "../domain/document.ts";
import { checkMetadata } from "../domain/metadata.ts";
import { type Message, toMessage } from "../domain/phrases/messages.ts";
import { type AddRequest, estimateSeconds, type Task, type TaskProgress } from "../domain/task.ts";
import type { Embed } from "../embed/embed.ts";
import type { Extract } from "../extract/extract.ts";
import type { S3Options } from "../files/s3.ts";
import type { Log } from "../observe/log.ts";
import { openFileLocks, type Store, type Trash } from "../store/store.ts";
import { addDocument } from "./add/add-document.ts";
import { type Analyser, type Indexer, openIndexer, type RefineWhen } from "./add/indexer.ts";
import { openReindexer } from "./add/reindex.ts";
import {
  type Accepted,
  type IntakeOptions,
  openIntake,
  requestFor,
  type Source,
} from "./intake/intake.ts";
import { openIncomingCheck } from "./intake/keep-copy.ts";
import { inBackground, taskTarget } from "./queue/background.ts";
import { openQueue, type Queue, taskNotFound } from "./queue/queue.ts";
import { type Blocked, findBlocked } from "./queue/queue-state.ts";
import type { Lease } from "./queue/run-task.ts";
import { openTidying } from "./queue/tidy.ts";
import { openRefiner } from "./refine/refiner.ts";
import { type Walked, walk } from "./sources/folder/scan.ts";
import type {
  FileChange,
  FolderSummary,
  Folders,
  FoldersOptions,
  WatchedFolder,
} from "./sources/folder/watch.ts";
import type { GivenSource } from "./sources/guess.ts";
import { limitConcurrency } from "./sources/lanes.ts";
import type { ItemChange } from "./sources/ledger.ts";
import { openSources, type Sources } from "./sources/schedule.ts";
import { type SyncParts, syncTask } from "./sources/sync.ts";

export type { FolderReport } from "./sources/folder/watch.ts";
export type { Blocked, FileChange, Folders, GivenSource, WatchedFolder };

interface AddOptions extends Pick<AddRequest, "metadata" | "forceOcr" | "caller" | "scope"> {
  readonly signal: AbortSignal;
}

/** For a folder, also how many files will be added, and which not. */
export interface Queued extends Partial<NonNullable<Accepted["folder"]>> {
  readonly task: Task;
  readonly estimatedSeconds: number;
  /** The document that already has this content. */
  readonly present?: StoredDocument;
}

export interface Ingest extends Pick<Queue, "task" | "finish" | "cancel"> {
  /** The same for a caller who sees only the tasks and documents of these scopes. */
  seenBy(sight: Sight): Ingest;
  /** Checks the source, keeps its bytes and enqueues a task, all durable when it returns. */
  enqueue(source: Source, options: AddOptions): Promise<Queued>;
  /** Leaves the task to the workers, and reports its progress until the task or this process ends. */
  watch(taskId: string, onProgress: (progress: TaskProgress) => void): void;
  tasks(options: { readonly limit: number; readonly open?: boolean }): Promise<readonly Task[]>;
  /** Set if adds wait because slow files hold all workers, in this or another process. */
  blocked(): Promise<Blocked | undefined>;
  /** The files a path refers to: the file itself, or the supported files below a folder. */
  walk(path: string, signal: AbortSignal): Promise<Walked>;
  /** Applies what changes in these folders to the knowledge base, until it is closed, which is to be before this. */
  watchFolders(
    folders: readonly WatchedFolder[],
    onFile?: (change: FileChange) => void,
  ): Promise<Folders>;
  /** The watched folders, whichever process watches them. */
  folders(): Promise<readonly FolderSummary[]>;
  readonly sources: Sources;
  /** The number of documents that still have to be reindexed. */
  staleCount(): Promise<number>;
  /** Documents that are findable but not yet refined by the model. */
  toRefine(): Promise<{ readonly documents: number; readonly chunks: number }>;
  /** For a process that exits when it is done: refines until nothing is left or the signal is aborted. */
  refine(signal: AbortSignal): Promise<void>;
  /** Problems of this machine's disk that would prevent an add. */
  problem(): Promise<Message | undefined>;
  /** Starts working on queued tasks, and reindexes and tidies in the background. */
  start(): void;
  close(): Promise<void>;
}

export interface IngestOptions extends IntakeOptions {
  readonly store: Store;
  readonly extract: Extract;
  readonly embed: Embed;
  readonly analyser: Analyser;
  readonly chunks: ChunkOptions;
  /** How many tasks this process works on at once. */
  readonly concurrency?: number;
  /** Whether a document can be found before the model has encoded it. */
  readonly refine: RefineWhen;
  /** Holds the locks of watched folders; it is in the data folder. */
  readonly watchLocksDir: string;
  /** Where buckets are, and with which credentials they are read. */
  readonly s3: S3Options;
  /** Where sources keep copies of repositories; it is in the data folder. */
  readonly sourcesDir: string;
  /** Sources that are added when the work starts. */
  readonly configured?: readonly GivenSource[];
  /** Holds files that the program removed on its own; it is in the data folder. */
  readonly trash: Trash;
  /** The maximum number of waiting tasks; further ones are refused. */
  readonly maxQueued?: number;
  /** Authorises and audits a change, for background work as well as for callers. */
  readonly perform: Perform;
  /**
   * False once another model was chosen: a process that still has the old one must not embed documents again with it,
   * against one that has the new one.
   */
  readonly isCurrent?: () => Promise<boolean>;
  /** False while changes are refused: queued tasks wait. */
  readonly allowsChanges: () => Promise<boolean>;
  /** Called when this process has stored or replaced a document of the scope. */
  readonly onStored: (documentId: string, scope: string) => void;
  readonly log: Log;
}

// A process that hangs (on a sleeping laptop) loses its tasks after this time; one that dies loses them at once.
const LEASE_MS = 15_000;
const POLL_MS = 1_000;
// Each waiting task keeps its file on disk until it is done. At a few documents per second, this many take an hour.
const MAX_QUEUED = 10_000;
// Running tasks come first in a list, so they are among these.
const MAX_LOOKED_AT = 100;
const REINDEX_EVERY_MS = 60_000;
// Each keeps a core busy, with reading or with the model.
const CONCURRENCY = 2;
// For folders: while one file is being extracted, another is embedded.
const FOLDER_LANES = 2;

const DEFAULTS = { maxQueued: MAX_QUEUED, concurrency: CONCURRENCY };
const TIMES = { leaseMs: LEASE_MS, pollMs: POLL_MS };

export function openIngest(options: IngestOptions): Ingest {
  const indexer = openIndexer(options);
  const { listen, onItem } = openItemListeners();
  const lanes = limitConcurrency(FOLDER_LANES);
  const work = workOf({ ...options, indexer, accept: openIntake(options), lanes, onItem });
  const queue = openQueue({ ...DEFAULTS, ...options, ...TIMES, work });
  const enqueueAs: EnqueueAs = ({ documents }) =>
    openEnqueue({ ...options, store: { ...options.store, documents } }, queue);
  const enqueue = enqueueAs(options.store);
  const upkeep = openUpkeep({ ...options, ...queue, indexer, enqueue });
  const ingest: Ingest = {
    seenBy: (sight) => seenBy(ingest, { ...options, indexer, enqueueAs }, sight),
    enqueue,
    finish: queue.finish,
    watch(taskId, onProgress) {
      queue.wake();
      watchToEnd(queue, taskId, onProgress);
    },
    task: queue.task,
    tasks: (page) => options.store.tasks.list(page),
    blocked: () => lookForBlocked(options.store),
    cancel: queue.cancel,
    walk: (path, signal) => walk(path, signal, options.log),
    ...openFolderWatch({ ...options, sources: upkeep.sources, finish: queue.finish, listen }),
    ...upkeep,
    problem: openIncomingCheck(options),
    start: () => {
      queue.start();
      upkeep.start();
    },
    close: () => Promise.all([queue.close(), upkeep.close()]).then(() => {}),
  };
  return ingest;
}

/** Other tasks do not exist, and counts are of what is seen. */
function seenBy(
  ingest: Ingest,
  {
    store,
    indexer: { under },
    enqueueAs,
  }: Pick<IngestOptions, "store"> & {
    readonly indexer: Indexer;
    readonly enqueueAs: (seen: Store) => Ingest["enqueue"];
  },
  sight: Sight,
): Ingest {
  const seen = store.seenBy(sight);
  const task = async (taskId: string) => {
    if (!(await seen.tasks.get(taskId))) throw taskNotFound(taskId);
    return ingest.task(taskId);
  };
  return {
    ...ingest,
    enqueue: enqueueAs(seen),
    task,
    cancel: async (taskId) => {
      await task(taskId);
      return ingest.cancel(taskId);
    },
    tasks: (page) => seen.tasks.list(page),
    blocked: () => lookForBlocked(seen),
    staleCount: async () => (await seen.documents.stale(under.fingerprint, 1)).total,
    toRefine: () => seen.refinements.waiting(under.fingerprint),
    folders: async () =>
      (await ingest.folders()).filter(({ scope = GENERAL_SCOPE }) => isSeen(scope, sight)),
  };
}

async function lookForBlocked({ tasks }: Store): Promise<Blocked | undefined> {
  return findBlocked(await tasks.list({ limit: MAX_LOOKED_AT, open: true }), Date.now());
}

/** Who may write in a scope but not read there learns nothing about the documents in it. */
type EnqueueAs = (store: Pick<Store, "documents">) => Ingest["enqueue"];

function openEnqueue(parts: IngestOptions, queue: Queue): Ingest["enqueue"] {
  const accept = openIntake(parts);
  return async (source, add) => {
    checkMetadata(add.metadata);
    const ahead = await queue.admit();
    const taken = await accept({ ...source, ...defined({ scope: add.scope }) }, add.signal);
    return queueTaken(taken, add, { ...parts, queue, ahead }).finally(taken.release);
  };
}

function openItemListeners() {
  const listeners = new Set<(change: ItemChange) => void>();
  return {
    listen: (listener: (change: ItemChange) => void) => void listeners.add(listener),
    onItem: (change: ItemChange) => {
      for (const listener of listeners) listener(change);
    },
  };
}

type WatchParts = IngestOptions & Pick<FoldersOptions, "sources" | "finish" | "listen">;

/** Its code is loaded by those who watch. */
function openFolderWatch(parts: WatchParts) {
  const load = () => Promise.all([import("./sources/folder/watch.ts"), openFileLocks()]);
  return {
    watchFolders: (async (folders, onFile) => {
      const [{ openFolders }, locks] = await load();
      return openFolders({ ...parts, locks, folders, onFile });
    }) satisfies Ingest["watchFolders"],
    folders: async () => {
      const sources = await parts.sources.list();
      if (sources.length === 0) return [];
      const [{ summariseFolders }, locks] = await load();
      return summariseFolders(sources, { ...parts, locks });
    },
  };
}

interface UpkeepOptions extends IngestOptions, Pick<Ingest, "enqueue" | "task"> {
  readonly indexer: Indexer;
  readonly isBusy: () => boolean;
}

/** Keeps stored documents up to date between adds: reindexes, refines, tidies originals, and syncs sources. */
function openUpkeep(options: UpkeepOptions) {
  const { indexer, store } = options;
  const reindexer = openReindexer({ ...options, everyMs: REINDEX_EVERY_MS });
  const { refinements } = store;
  const refiner = openRefiner({ ...options, refinements, under: indexer.under });
  const tidying = openTidying(options);
  const { sources, ...schedule } = openSources(options);
  return {
    sources,
    staleCount: reindexer.waiting,
    toRefine: refiner.waiting,
    refine: refiner.run,
    start() {
      reindexer.start();
      refiner.start();
      tidying.start();
      schedule.start();
    },
    async close() {
      // Not awaited: it may take long, and the next start tidies again.
      void tidying.close();
      await Promise.all([reindexer.close(), refiner.close(), schedule.close()]);
    },
  };
}

function workOf(parts: SyncParts) {
  return (lease: Lease) => {
    if (lease.task.request.many !== undefined) return syncTask(lease, parts);
    return inBackground(parts.perform, "document-store", {
      target: taskTarget(lease.task),
      work: () => addDocument(lease, parts),
      signal: lease.signal,
    });
  };
}

/** Durable when it returns: both the bytes and the task are stored. `ahead`: how many tasks are before it. */
async function queueTaken(
  taken: Accepted,
  add: AddOptions,
  parts: IngestOptions & { readonly queue: Queue; readonly ahead: number },
): Promise<Queued> {
  const { store, queue, log, ahead, embed, refine } = parts;
  const reader = embed.light && refine === "after" ? "light" : "model";
  log.debug("ingest.step", { step: "kept" });
  const request = requestFor(taken.file, add);
  const { contentHash, forceOcr } = request;
  const scope = request.scope ?? GENERAL_SCOPE;
  const present = forceOcr ? undefined : await store.documents.findByHash(contentHash, scope);
  const task = await queue.enqueue(request);
  await taken.ensureStored().catch(async (thrown: unknown) => {
    await store.tasks.cancel(task.id);
    throw thrown;
  });
  log.info("ingest.queued", { task: task.id, bytes: request.sizeBytes });
  log.debug("ingest.step", { task: task.id, step: "queued" });
  const estimatedSeconds = present ? 1 : estimateSeconds(request, { ahead, reader });
  return { task, estimatedSeconds, ...taken.folder, ...defined({ present }) };
}

function watchToEnd(queue: Queue, taskId: string, onProgress: (progress: TaskProgress) => void) {
  const reportEnd = ({ status, progress }: Task) => {
    if (status === "completed")
      onProgress({ ...progress, currentStep: [toMessage("completed")], fraction: 1 });
  };
  queue.follow(taskId, onProgress).then(reportEnd, () => {});
}

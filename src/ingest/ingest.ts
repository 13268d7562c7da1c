// The write path: sources become durable tasks, which this or another process works on.
import type { ChunkOptions } from "../chunk/chunk.ts";
import type { Perform } from "../domain/call/act.ts";
import type { Metadata, StoredDocument } from "../domain/document.ts";
import { checkMetadata } from "../domain/metadata.ts";
import { STEPS } from "../domain/phrases/steps.ts";
import {
  type AddRequest,
  estimateSeconds,
  type LeftOutCounts,
  type Task,
  type TaskProgress,
} from "../domain/task.ts";
import type { Embed } from "../embed/embed.ts";
import type { Extract } from "../extract/extract.ts";
import type { Log } from "../observe/log.ts";
import type { Store, Trash } from "../store/store.ts";
import { addDocument } from "./add/add-document.ts";
import type { RefineWhen } from "./add/encode.ts";
import { type Analyser, type Indexer, openIndexer } from "./add/indexer.ts";
import { openReindexer } from "./add/reindex.ts";
import { type Walked, walk } from "./folders/walk.ts";
import { type IntakeOptions, openIntake, type Source, type TakenIn } from "./intake/intake.ts";
import { openIncomingCheck } from "./intake/keep-copy.ts";
import { addMany, type ManyParts } from "./many/add-many.ts";
import { openLanes } from "./many/lanes.ts";
import { inBackground, taskTarget } from "./queue/background.ts";
import type { FollowOptions } from "./queue/follow.ts";
import type { Lease } from "./queue/lease.ts";
import { openQueue, type Queue } from "./queue/queue.ts";
import { openTidying } from "./queue/tidy.ts";
import { openRefiner } from "./refine/refiner.ts";

export type {
  FileChange,
  FolderReport,
  FolderSummary,
  Folders,
  WatchedFolder,
} from "./folders/folders.ts";

interface AddOptions {
  readonly metadata: Metadata;
  readonly forceOcr: boolean;
  readonly signal: AbortSignal;
}

export interface Queued {
  readonly task: Task;
  readonly estimatedSeconds: number;
  /** The document that already has this content. */
  readonly present?: StoredDocument;
  /** For a folder, how many files will be added. */
  readonly found?: number;
  /** The files of the folder that will not be added, as a sentence. */
  readonly left?: string;
  /** The same as numbers. */
  readonly leftOut?: LeftOutCounts;
}

export interface Ingest {
  /** Checks the source, keeps its bytes and enqueues a task, all durable when it returns. */
  enqueue(source: Source, options: AddOptions): Promise<Queued>;
  /** Runs the task here if no process has claimed it, else waits for the one that has. The signal cancels it. */
  finish(taskId: string, options: FollowOptions): Promise<Task>;
  /** Leaves the task to the workers, and reports its progress until the task or this process ends. */
  watch(taskId: string, onProgress: (progress: TaskProgress) => void): void;
  task(taskId: string): Promise<Task>;
  tasks(options: { readonly limit: number; readonly open?: boolean }): Promise<readonly Task[]>;
  /**
   * Stops the work in whichever process does it, and leaves nothing of the document. A task that has ended stays
   * unchanged.
   */
  cancel(taskId: string): Promise<Task>;
  /** The files a path refers to: the file itself, or the supported files below a folder. */
  walk(path: string, signal: AbortSignal): Promise<Walked>;
  /** The number of documents that still have to be reindexed. */
  staleCount(): Promise<number>;
  /** Documents that are findable but not yet refined by the model. */
  toRefine(): Promise<{ readonly documents: number; readonly chunks: number }>;
  /** For a process that exits when it is done: refines until nothing is left or the signal is aborted. */
  refine(signal: AbortSignal): Promise<void>;
  /** Problems of this machine's disk that would prevent an add. */
  problem(): Promise<string | undefined>;
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
  readonly concurrency: number;
  /** Whether a document can be found before the model has encoded it. */
  readonly refine: RefineWhen;
  /** Holds files that the program removed on its own; it is in the data folder. */
  readonly trash: Trash;
  /** The maximum number of waiting tasks; further ones are refused. */
  readonly maxQueued?: number;
  /** Authorises and audits a change, for background work as well as for callers. */
  readonly perform: Perform;
  /** False while changes are refused: queued tasks wait. */
  readonly allowsChanges: () => Promise<boolean>;
  /** Called when this process has stored or replaced a document. */
  readonly onStored: (documentId: string) => void;
  readonly log: Log;
}

// A process that hangs (on a sleeping laptop) loses its tasks after this time; one that dies loses them at once.
const LEASE_MS = 15_000;
const POLL_MS = 1_000;
// Each waiting task keeps its file on disk until it is done. At a few documents per second, this many take an hour.
const MAX_QUEUED = 10_000;
const REINDEX_EVERY_MS = 60_000;
// For folders: while one file is being extracted, another is embedded.
const FOLDER_LANES = 2;

export function openIngest(options: IngestOptions): Ingest {
  const indexer = openIndexer(options);
  const takeIn = openIntake(options);
  const lanes = openLanes(FOLDER_LANES);
  const queue = openQueue({
    maxQueued: MAX_QUEUED,
    ...options,
    leaseMs: LEASE_MS,
    pollMs: POLL_MS,
    work: workOf({ ...options, indexer, takeIn, lanes }),
  });
  const upkeep = openIndexUpkeep({ ...options, indexer, isBusy: queue.isBusy });
  return {
    async enqueue(source, add) {
      checkMetadata(add.metadata);
      const ahead = await queue.admit();
      const taken = await takeIn(source, add.signal);
      const queued = queueTaken(taken, add, { ...options, queue, ahead });
      return queued.finally(taken.release);
    },
    finish: queue.finish,
    watch(taskId, onProgress) {
      queue.wake();
      watchToEnd(queue, taskId, onProgress);
    },
    task: queue.task,
    tasks: (page) => options.store.tasks.list(page),
    cancel: queue.cancel,
    walk,
    ...upkeep,
    problem: openIncomingCheck(options),
    start() {
      queue.start();
      upkeep.start();
    },
    async close() {
      await Promise.all([queue.close(), upkeep.close()]);
    },
  };
}

interface IndexUpkeepOptions extends IngestOptions {
  readonly indexer: Indexer;
  readonly isBusy: () => boolean;
}

/** Keeps stored documents up to date between adds: reindexes, refines, and tidies originals. */
function openIndexUpkeep(options: IndexUpkeepOptions) {
  const { indexer, store } = options;
  const reindexer = openReindexer({ ...options, everyMs: REINDEX_EVERY_MS });
  const refiner = openRefiner({
    ...options,
    refinements: store.refinements,
    under: indexer.under,
  });
  const tidying = openTidying(options);
  return {
    staleCount: reindexer.waiting,
    toRefine: refiner.waiting,
    refine: refiner.run,
    start() {
      reindexer.start();
      refiner.start();
      tidying.start();
    },
    async close() {
      tidying.close();
      await Promise.all([reindexer.close(), refiner.close()]);
    },
  };
}

function workOf(parts: ManyParts) {
  return (lease: Lease) => {
    if (lease.task.request.many !== undefined) return addMany(lease, parts);
    return inBackground(parts.perform, "document-store", {
      to: taskTarget(lease.task),
      work: async () => void (await addDocument(lease, parts)),
      signal: lease.signal,
    });
  };
}

interface QueueTaken extends Pick<IngestOptions, "embed" | "refine"> {
  readonly store: Store;
  readonly queue: Queue;
  readonly log: Log;
  readonly ahead: number;
}

/** Durable when it returns: both the bytes and the task are stored. */
async function queueTaken(taken: TakenIn, add: AddOptions, parts: QueueTaken): Promise<Queued> {
  const { store, queue, log, ahead, embed, refine } = parts;
  const reader = embed.light && refine === "after" ? "light" : "model";
  log.debug("ingest.step", { step: "kept" });
  const { filename, sourcePath, contentHash, sizeBytes, many, page } = taken;
  const { metadata, forceOcr } = add;
  const place = sourcePath === undefined ? {} : { sourcePath };
  const file = { contentHash, filename, ...place, sizeBytes };
  const kind = {
    ...(many === undefined ? {} : { many: many.kind }),
    ...(page === undefined ? {} : { page }),
  };
  const request: AddRequest = { ...file, ...kind, metadata, forceOcr, screen: true };
  const found = forceOcr ? undefined : await store.documents.findByHash(contentHash);
  const task = await queue.enqueue(request);
  await taken.keepAgain().catch(async (thrown: unknown) => {
    await store.tasks.cancel(task.id);
    throw thrown;
  });
  log.info("ingest.queued", { task: task.id, bytes: sizeBytes });
  log.debug("ingest.step", { task: task.id, step: "queued" });
  const estimatedSeconds = found ? 1 : estimateSeconds(request, { ahead, reader });
  return {
    task,
    estimatedSeconds,
    ...(many?.found === undefined ? {} : { found: many.found }),
    ...(many?.left === undefined ? {} : { left: many.left }),
    ...(many?.leftOut === undefined ? {} : { leftOut: many.leftOut }),
    ...(found ? { present: found } : {}),
  };
}

function watchToEnd(queue: Queue, taskId: string, onProgress: (progress: TaskProgress) => void) {
  const reportEnd = ({ status, progress }: Task) => {
    if (status === "completed")
      onProgress({ ...progress, currentStep: STEPS.completed, fraction: 1 });
  };
  queue.follow(taskId, onProgress).then(reportEnd, () => {});
}

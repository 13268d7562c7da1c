// The door of the write way: sources come in, become durable tasks, and are worked here or by another process.
import { randomUUID } from "node:crypto";
import type { ChunkOptions } from "../chunk/chunk.ts";
import type { Perform } from "../domain/call/act.ts";
import type { Metadata, StoredDocument } from "../domain/document.ts";
import { KnowledgeError } from "../domain/errors.ts";
import { checkMetadata } from "../domain/metadata.ts";
import { type AddRequest, isSetAside, type Task, type TaskProgress } from "../domain/task.ts";
import type { Embed } from "../embed/embed.ts";
import type { Extract } from "../extract/extract.ts";
import type { Log } from "../observe/log.ts";
import { settlesWithin } from "../observe/silence.ts";
import type { Store, Trash } from "../store/store.ts";
import { addDocument } from "./add/add-document.ts";
import { estimateSeconds } from "./add/estimate.ts";
import { type Analyser, openIndexer } from "./add/indexer.ts";
import { openReindexer } from "./add/reindex.ts";
import { walk } from "./folders/walk.ts";
import {
  type IntakeOptions,
  openIncomingCheck,
  openIntake,
  type Source,
  type TakenIn,
} from "./intake/intake.ts";
import { openBackground, taskTarget } from "./queue/background.ts";
import { type FollowOptions, isEnded, openTaskEvents } from "./queue/task-events.ts";
import { tidy } from "./queue/tidy.ts";
import { openWorker } from "./queue/worker.ts";

export type { Analyser } from "./add/indexer.ts";
export type { FolderReport, FolderSummary, Folders, WatchedFolder } from "./folders/folders.ts";
export type { Source } from "./intake/intake.ts";

export interface AddOptions {
  readonly metadata: Metadata;
  readonly forceOcr: boolean;
  readonly signal: AbortSignal;
}

export interface Queued {
  readonly task: Task;
  readonly estimatedSeconds: number;
  /** The document that has this content already. */
  readonly present?: StoredDocument;
}

export interface Ingest {
  /** Checks the source, keeps its bytes and enqueues a task, all durable when it returns. */
  enqueue(source: Source, options: AddOptions): Promise<Queued>;
  /** Does the task here if it is free, else waits for whoever does. The signal cancels it. */
  finish(taskId: string, options: FollowOptions): Promise<Task>;
  /** Leaves it to the workers, and reports its progress until it ends or this process does. */
  watch(taskId: string, onProgress: (progress: TaskProgress) => void): void;
  task(taskId: string): Promise<Task>;
  tasks(options: { readonly limit: number; readonly open?: boolean }): Promise<readonly Task[]>;
  /** Stops the work wherever it is done and leaves nothing of the document. An ended task stays as it is. */
  cancel(taskId: string): Promise<Task>;
  /** The files that a path means: itself, or what is worth adding below a folder. */
  walk(path: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Documents still to be embedded again. */
  staleCount(): Promise<number>;
  /** What would keep a file from being taken in, on this machine's disk. */
  problem(): Promise<string | undefined>;
  /** Works queued tasks from now on, and reindexes and tidies in the background. */
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
  /** In the data folder: what the program itself decides to let go of. */
  readonly trash: Trash;
  /** Tasks that may wait; more are refused. */
  readonly maxQueued?: number;
  /** The door for changes: background work asks it as a caller's does. */
  readonly perform: Perform;
  /** False while changes are refused: queued tasks wait. */
  readonly isOpen: () => Promise<boolean>;
  /** A document was stored or replaced by this process. */
  readonly onStored: (documentId: string) => void;
  readonly log: Log;
}

// A process that stops answering (a laptop's sleep) loses its tasks after this; one that dies, at once.
const LEASE_MS = 15_000;
const POLL_MS = 1_000;
// Each keeps its file's bytes on disk until it is done; at some documents a second this is an hour's work.
const MAX_QUEUED = 10_000;
const TAKE_AGAIN_MS = 1_000;
const REINDEX_EVERY_MS = 60_000;
const TIDY_EVERY_MS = 3_600_000;

export function openIngest(options: IngestOptions): Ingest {
  const { store, log } = options;
  const indexer = openIndexer(options);
  const inBackground = openBackground(options.perform);
  const tidyUp = () =>
    void inBackground("tidy", { to: {}, work: () => tidy(options) }).catch((error: unknown) => {
      log.warn("ingest.tidy-failed", { error });
    });
  const closing = new AbortController();
  const worker = openWorker({
    tasks: store.tasks,
    concurrency: options.concurrency,
    leaseMs: LEASE_MS,
    pollMs: POLL_MS,
    log,
    isOpen: options.isOpen,
    work: (lease, name) =>
      inBackground("document-store", {
        to: taskTarget(lease.task),
        work: () => addDocument(lease, name, { ...options, indexer }),
        isBroken: () => lease.signal.aborted,
      }),
    onNews: (taskId) => events.notify(taskId),
    onUnfinished: (task) => discardOriginal(task),
  });
  const events = openTaskEvents(store.tasks, worker.progressOf);
  const isBusy = () => worker.isBusy();
  const reindexer = openReindexer({ ...options, indexer, isBusy, everyMs: REINDEX_EVERY_MS });
  const takeIn = openIntake(options);
  let tidying: NodeJS.Timeout | undefined;

  const discardOriginal = async ({ id, request, createdAt }: Task) => {
    try {
      const { contentHash, filename, sourcePath } = request;
      const path = sourcePath === undefined ? {} : { sourcePath };
      // Whoever cancelled wants it gone; a file that could not be read may be its owner's only copy.
      const isCancelled = (await store.tasks.get(id))?.status === "cancelled";
      const note = isCancelled ? undefined : ({ why: "failed", filename, ...path } as const);
      await store.originals.discard(contentHash, createdAt, note);
    } catch (error) {
      log.warn("ingest.discard-failed", { error });
    }
  };

  const task = async (taskId: string) => {
    const found = await store.tasks.get(taskId);
    const progress = worker.progressOf(taskId);
    // The store hears of progress once a second; this process knows it now.
    if (found?.status === "running" && progress !== undefined) return { ...found, progress };
    if (found !== undefined) return found;
    throw new KnowledgeError("TASK_NOT_FOUND", `Task with ID '${taskId}' not found`, {
      details: { task_id: taskId },
    });
  };

  const cancel = async (taskId: string) => {
    const before = await task(taskId);
    if (isEnded(before) && !isSetAside(before)) return before;
    const after = (await store.tasks.cancel(taskId)) ?? before;
    worker.stop(taskId);
    events.notify(taskId);
    if (after.status === "cancelled") await discardOriginal(after);
    return after;
  };

  /** Acknowledged when it returns: the bytes are kept, and a task says so. */
  const queueTaken = async (taken: TakenIn, add: AddOptions, before: number): Promise<Queued> => {
    log.debug("ingest.step", { step: "kept" });
    const { filename, sourcePath, contentHash, sizeBytes } = taken;
    const { metadata, forceOcr } = add;
    const place = sourcePath === undefined ? {} : { sourcePath };
    const file = { contentHash, filename, ...place, sizeBytes };
    const request: AddRequest = { ...file, metadata, forceOcr, screen: true };
    const found = forceOcr ? undefined : await store.documents.findByHash(contentHash);
    const created = await store.tasks.enqueue(randomUUID(), request);
    await taken.keepAgain().catch(async (thrown: unknown) => {
      await store.tasks.cancel(created.id);
      throw thrown;
    });
    log.info("ingest.queued", { task: created.id, bytes: sizeBytes });
    log.debug("ingest.step", { task: created.id, step: "queued" });
    const estimatedSeconds = found ? 1 : estimateSeconds(request, before);
    return { task: created, estimatedSeconds, ...(found ? { present: found } : {}) };
  };

  return {
    async enqueue(source, add) {
      checkMetadata(add.metadata);
      const { queued, running } = await store.tasks.counts();
      if (queued >= (options.maxQueued ?? MAX_QUEUED)) throw tooMany(queued);
      const taken = await takeIn(source, add.signal);
      try {
        return await queueTaken(taken, add, queued + running);
      } finally {
        await taken.release();
      }
    },
    async finish(taskId, { signal, onProgress }) {
      // Nothing is begun for a caller that is gone already.
      if (signal.aborted) return cancel(taskId);
      const stop = () => void cancel(taskId).catch(() => {});
      signal.addEventListener("abort", stop, { once: true });
      try {
        const both = AbortSignal.any([signal, closing.signal]);
        const followed = events.follow(taskId, { signal: both, onProgress });
        followed.catch(() => {});
        for (;;) {
          const taken = worker.take(taskId);
          taken.catch(() => {});
          // A cancelled call is over when its work is.
          const ended = followed.then(
            () => true,
            () => taken,
          );
          const isOver = await Promise.race([taken, ended]);
          // Whoever else has it may give it back, or be unable to: then it is this call's to answer.
          if (isOver || (await settlesWithin(followed, TAKE_AGAIN_MS))) return await followed;
        }
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
    watch(taskId, onProgress) {
      worker.wake();
      const followed = events.follow(taskId, { signal: closing.signal, onProgress });
      followed.then(
        ({ status, progress }) => {
          if (status === "completed")
            onProgress({ ...progress, currentStep: "Completed", fraction: 1 });
        },
        () => {},
      );
    },
    task,
    tasks: (page) => store.tasks.list(page),
    cancel,
    walk,
    staleCount: reindexer.waiting,
    problem: openIncomingCheck(options),
    start() {
      worker.start();
      reindexer.start();
      if (tidying === undefined) tidyUp();
      tidying ??= setInterval(tidyUp, TIDY_EVERY_MS).unref();
    },
    async close() {
      clearInterval(tidying);
      closing.abort("closing");
      await Promise.all([worker.close(), reindexer.close()]);
    },
  };
}

function tooMany(queued: number): KnowledgeError {
  return new KnowledgeError(
    "OVERLOADED",
    `${queued} documents wait to be read already; try again when some are done.`,
    { details: { retry_after_seconds: 60 } },
  );
}

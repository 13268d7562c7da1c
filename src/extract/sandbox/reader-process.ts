// One process that parses files, one at a time. It is killed when a file takes too long or too much memory.

import { KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import type { Log } from "../../observe/log.ts";
import type { ExtractProgress } from "../extract.ts";
import { overLimit } from "../failures.ts";
import { allowedMs, type ReadSoFar } from "../limits.ts";
import type { ReadSettings } from "../reader.ts";
import { startChild } from "./child-process.ts";
import type { Failure, Job, Outcome, Product, Reply } from "./protocol.ts";
import { type Usage, usageOf } from "./usage.ts";

export interface ReaderOptions {
  readonly childUrl: URL;
  readonly settings: ReadSettings;
  readonly log: Log;
  /** The process is ended after this long without a file. */
  readonly idleMs: number;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ExtractProgress) => void;
}

export interface ReaderProcess {
  run(job: Job, options: RunOptions): Promise<Product>;
  /** True if the process is dying or has grown too large; it gets no more files. */
  isSpent(): boolean;
  /** Kills the process, even if it is busy. */
  end(): void;
}

interface Reading extends Pick<RunOptions, "onProgress"> {
  /** Undefined for a page to render, which has a fixed time. */
  readonly sizeBytes: number | undefined;
  readonly resolve: (product: Product) => void;
  readonly reject: (reason: KnowledgeError) => void;
  readonly unlisten: () => void;
  readonly startedAt: number;
  aliveAt: number;
  pages: number;
  readings: number;
  /** The process's computing time when the file was first looked at: it has read others before. */
  computedBefore?: number;
}

const WATCH_MS = 100;

/** The process is idle, reads one file, or is spent: dying or grown too large. */
interface Reader {
  readonly child: ReturnType<typeof startChild>;
  readonly log: Log;
  reading: Reading | undefined;
  restsSince: number;
  isSpent: boolean;
}

export function startReader(options: ReaderOptions, onEnd: () => void): ReaderProcess {
  const { log } = options;
  const child = startChild(options, {
    onReply: (reply) => onReply(reader, reply),
    onUnreadable(reason) {
      log.warn("extract.unreadable", { reason });
      kill(reader, crashed(""));
    },
  });
  const restsSince = performance.now();
  const reader: Reader = { child, log, reading: undefined, restsSince, isSpent: false };
  // One timer watches everything instead of one per file, because small files take less than a millisecond.
  const watch = setInterval(() => void checkLimits(reader, options), WATCH_MS).unref();
  void child.ended.then((end) => {
    clearInterval(watch);
    onChildEnd(reader, end);
    onEnd();
  });
  return {
    run: (job, how) => run(reader, job, how),
    isSpent: () => reader.isSpent,
    end() {
      kill(reader, cancelled());
      // Callers that wait for the end need this process to keep running until the child's pipes are
      // closed, which may be after the child's exit.
      child.keepsAlive(true);
    },
  };
}

function run(reader: Reader, job: Job, { signal, onProgress }: RunOptions) {
  return new Promise<Product>((resolve, reject) => {
    const startedAt = performance.now();
    const abort = () => kill(reader, cancelled());
    reader.reading = {
      resolve,
      reject,
      startedAt,
      aliveAt: startedAt,
      sizeBytes: "want" in job ? undefined : job.sizeBytes,
      pages: 1,
      readings: 0,
      unlisten: () => signal?.removeEventListener("abort", abort),
      ...(onProgress && { onProgress }),
    };
    signal?.addEventListener("abort", abort, { once: true });
    reader.child.keepsAlive(true);
    reader.child.send(job);
  });
}

function onReply(reader: Reader, reply: Reply): void {
  const { reading } = reader;
  if (reading === undefined) return;
  if (reply.kind !== "alive" && reply.kind !== "progress") {
    finish(reader, reply);
    return;
  }
  reading.aliveAt = performance.now();
  if (reply.kind === "alive") {
    reading.readings += 1;
    return;
  }
  // OCR reports the pages that are read, the parser those that the file has.
  reading.pages = Math.max(reading.pages, reply.progress.total);
  reading.onProgress?.(reply.progress);
}

function finish(reader: Reader, outcome: Outcome): void {
  reader.isSpent ||= outcome.exhausted === true;
  settle(reader, ({ resolve, reject }) =>
    outcome.kind === "failed" ? reject(toError(outcome, reader.log)) : resolve(outcome),
  );
}

function settle(reader: Reader, act: (ended: Reading) => void): void {
  const { reading } = reader;
  if (reading === undefined) return;
  reader.reading = undefined;
  reader.restsSince = performance.now();
  reading.unlisten();
  reader.child.keepsAlive(false);
  act(reading);
}

function kill(reader: Reader, reason: KnowledgeError): void {
  reader.isSpent = true;
  reader.child.kill();
  settle(reader, ({ reject }) => reject(reason));
}

type ChildEnd = Awaited<Reader["child"]["ended"]>;

function onChildEnd(reader: Reader, { signal, stderr, cause }: ChildEnd): void {
  reader.isSpent = true;
  const reason = cause === undefined ? crashed(stderr) : toKnowledgeError(cause);
  // The reader's output is not logged, because it may quote the document.
  if (reader.reading !== undefined) {
    reader.log.warn("extract.crashed", { signal, code: reason.code, cause });
  }
  settle(reader, ({ reject }) => reject(reason));
}

async function checkLimits(reader: Reader, { idleMs, settings }: ReaderOptions): Promise<void> {
  const watched = reader.reading;
  if (watched === undefined) {
    if (performance.now() - reader.restsSince > idleMs) kill(reader, cancelled());
    return;
  }
  const reason = await limitExceeded(watched, reader.child.pid, settings);
  if (reason !== undefined && watched === reader.reading) kill(reader, reason);
}

/** Returns why the file is abandoned, if it has used too much. */
async function limitExceeded(
  reading: Reading,
  pid: number,
  { limits }: ReadSettings,
): Promise<KnowledgeError | undefined> {
  const { startedAt, aliveAt, sizeBytes } = reading;
  const now = performance.now();
  if (now - aliveAt > limits.stallMs) return tookTooLong(limits.stallMs);
  if (now - startedAt > limits.totalMs) return tookTooLong(limits.totalMs);
  const usage = await usageOf(pid);
  if (usage !== undefined && usage.residentBytes > limits.childRssBytes) {
    return overLimit("reading it takes too much memory");
  }
  if (sizeBytes === undefined) return undefined;
  const most = allowedMs({ ...reading, sizeBytes } satisfies ReadSoFar, limits.computeMs);
  return computedMs(reading, usage, now) > most ? tooSlowForSize(most) : undefined;
}

/** By the processor's time: on a busy machine an honest file waits, and waiting is no fault of the file. */
function computedMs(reading: Reading, usage: Usage | undefined, now: number): number {
  if (usage === undefined) return now - reading.startedAt;
  reading.computedBefore ??= usage.computeMs;
  return usage.computeMs - reading.computedBefore;
}

function toError({ code, message, details, cause }: Failure, log: Log): KnowledgeError {
  if (cause !== undefined) log.info("extract.failed", { code, cause });
  return new KnowledgeError(code, message, { details });
}

export function crashed(errors: string): KnowledgeError {
  if (/heap out of memory|Allocation failed/.test(errors)) {
    return overLimit("reading it takes too much memory");
  }
  return new KnowledgeError(
    "CORRUPT_FILE",
    "The file could not be read: it crashed its reader. It is probably damaged; save it again and retry.",
  );
}

function tookTooLong(ms: number): KnowledgeError {
  return new KnowledgeError(
    "EXTRACTION_TIMEOUT",
    `Reading the file stopped after ${Math.round(ms / 1000)} s without progress. The file may be damaged or malicious.`,
  );
}

function tooSlowForSize(ms: number): KnowledgeError {
  return new KnowledgeError(
    "EXTRACTION_TIMEOUT",
    toMessage("tooSlowForSize", Math.round(ms / 1000)),
  );
}

export function cancelled(): KnowledgeError {
  return new KnowledgeError("CANCELLED", "Reading the file was cancelled.");
}

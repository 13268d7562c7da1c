// A few processes that parse files, each killed when a file takes too long or too much memory.
//
//   queue ──▶ idle child ──job──▶ busy child ──done / failed──▶ idle (or let go after many jobs)
//                                     └─ abort, stall, memory, crash ──▶ killed, the job rejects
import { type ChildProcess, fork } from "node:child_process";
import { constants, setPriority } from "node:os";
import { fileURLToPath } from "node:url";
import type { ExtractedDocument } from "../domain/document.ts";
import { KnowledgeError } from "../domain/errors.ts";
import type { Log } from "../observe/log.ts";
import type { ExtractProgress } from "./extract.ts";
import { overLimit } from "./limits.ts";
import { residentBytes } from "./memory.ts";
import type { ReadJob, Reply } from "./protocol.ts";

export interface PoolOptions {
  readonly childUrl: URL;
  readonly workers: number;
  readonly heapMb: number;
  readonly log: Log;
  /** Native libraries leak a little: a child is replaced after so many files. */
  readonly recycleAfter?: number;
  readonly idleMs?: number;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ExtractProgress) => void;
}

export interface Pool {
  run(job: ReadJob, options: RunOptions): Promise<ExtractedDocument>;
  close(): Promise<void>;
}

interface Child {
  readonly process: ChildProcess;
  readonly errors: () => string;
  jobs: number;
  idleTimer?: NodeJS.Timeout;
}

interface Waiting {
  readonly start: (child: Child) => void;
  readonly reject: (reason: unknown) => void;
}

const MEMORY_CHECK_MS = 100;

export function openPool(options: PoolOptions): Pool {
  const { log, recycleAfter = 200, idleMs = 60_000 } = options;
  const idle: Child[] = [];
  const all = new Set<Child>();
  const queue: Waiting[] = [];
  let closed = false;

  const drop = (child: Child) => {
    clearTimeout(child.idleTimer);
    all.delete(child);
    const at = idle.indexOf(child);
    if (at !== -1) idle.splice(at, 1);
    child.process.kill("SIGKILL");
    pump();
  };
  const start = (): Child => {
    const child = startChild(options);
    all.add(child);
    child.process.once("exit", () => drop(child));
    return child;
  };
  const pump = () => {
    while (!closed && queue.length > 0) {
      const child = idle.pop() ?? (all.size < options.workers ? start() : undefined);
      if (child === undefined) return;
      clearTimeout(child.idleTimer);
      queue.shift()?.start(child);
    }
  };
  const rest = (child: Child) => {
    child.jobs += 1;
    if (closed || child.jobs >= recycleAfter || !child.process.connected) return drop(child);
    idle.push(child);
    child.idleTimer = setTimeout(() => drop(child), idleMs).unref();
    pump();
  };

  return {
    run(job, { signal, onProgress }) {
      return new Promise((resolve, reject) => {
        if (closed) return reject(cancelled());
        if (signal?.aborted) return reject(cancelled());
        const waiting: Waiting = {
          reject,
          start(child) {
            signal?.removeEventListener("abort", leave);
            runOn(child, job, { log, ...(signal && { signal }), ...(onProgress && { onProgress }) })
              .then(resolve, reject)
              .finally(() => (child.process.killed ? drop(child) : rest(child)));
          },
        };
        const leave = () => {
          const at = queue.indexOf(waiting);
          if (at !== -1) queue.splice(at, 1);
          reject(cancelled());
        };
        signal?.addEventListener("abort", leave, { once: true });
        queue.push(waiting);
        pump();
      });
    },
    async close() {
      closed = true;
      for (const waiting of queue.splice(0)) waiting.reject(cancelled());
      const gone = [...all].map((child) => exited(child.process));
      for (const child of [...all]) drop(child);
      await Promise.all(gone);
    },
  };
}

function startChild({ childUrl, heapMb, log }: PoolOptions): Child {
  const child = fork(fileURLToPath(childUrl), [], {
    env: {},
    execArgv: [`--max-old-space-size=${heapMb}`],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let errors = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-4000);
  });
  child.on("error", (error) => log.warn("extract.child", { reason: error.message }));
  // Whoever asks goes before what is read.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
  // An idle child must not keep the server's process alive.
  child.unref();
  child.channel?.unref();
  return { process: child, errors: () => errors, jobs: 0 };
}

function runOn(
  child: Child,
  job: ReadJob,
  { signal, onProgress, log }: RunOptions & { readonly log: Log },
): Promise<ExtractedDocument> {
  const { limits } = job;
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      child.process.channel?.unref();
      child.process.off("message", onMessage);
      child.process.off("exit", onExit);
      signal?.removeEventListener("abort", onAbort);
      for (const timer of [total, memory]) clearInterval(timer);
      clearTimeout(stall);
      act();
    };
    const kill = (reason: KnowledgeError) => {
      child.process.kill("SIGKILL");
      settle(() => reject(reason));
    };
    const onAbort = () => kill(cancelled());
    const onMessage = (message: Reply) => {
      if (message.kind === "alive") stall.refresh();
      else if (message.kind === "progress") {
        stall.refresh();
        onProgress?.(message.progress);
      } else if (message.kind === "done") settle(() => resolve(message.document));
      else settle(() => reject(toError(message, log)));
    };
    const onExit = () => settle(() => reject(crashed(child, log)));
    const stall = setTimeout(() => kill(tookTooLong(limits.stallMs)), limits.stallMs);
    const total = setTimeout(() => kill(tookTooLong(limits.totalMs)), limits.totalMs);
    const memory = setInterval(async () => {
      const held = await residentBytes(child.process.pid ?? 0);
      if (held !== undefined && held > limits.childRssBytes) {
        kill(overLimit("reading it takes too much memory"));
      }
    }, MEMORY_CHECK_MS);
    child.process.channel?.ref();
    child.process.on("message", onMessage);
    child.process.once("exit", onExit);
    signal?.addEventListener("abort", onAbort, { once: true });
    child.process.send(job, (error) => {
      if (error) settle(() => reject(crashed(child, log)));
    });
  });
}

function toError(reply: Extract<Reply, { kind: "failed" }>, log: Log): KnowledgeError {
  if (reply.cause !== undefined)
    log.info("extract.failed", { code: reply.code, cause: reply.cause });
  return new KnowledgeError(reply.code, reply.message, { details: reply.details });
}

function crashed(child: Child, log: Log): KnowledgeError {
  log.warn("extract.crashed", { signal: child.process.signalCode, stderr: child.errors() });
  if (/heap out of memory|Allocation failed/.test(child.errors())) {
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
    `Reading the file was stopped after ${Math.round(ms / 1000)} s without progress. It may be damaged or built to hang readers.`,
  );
}

function cancelled(): KnowledgeError {
  return new KnowledgeError("CANCELLED", "Reading the file was cancelled.");
}

function exited(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.ref();
    child.once("exit", () => resolve());
  });
}

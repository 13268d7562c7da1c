// One process that parses files, one at a time. It is killed when a file takes too long or too much memory.
import type { ExtractedDocument } from "../../domain/document.ts";
import { KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import type { Log } from "../../observe/log.ts";
import type { ExtractProgress, ExtractRequest } from "../extract.ts";
import { overLimit } from "../limits.ts";
import type { ReadSettings } from "../reader.ts";
import { startChild } from "./child-process.ts";
import { residentBytes } from "./memory.ts";
import type { Failure, Outcome, Reply } from "./protocol.ts";

export interface ReaderOptions {
  readonly childUrl: URL;
  readonly settings: ReadSettings;
  readonly log: Log;
  /** Without a file for so long, it is ended. */
  readonly idleMs: number;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ExtractProgress) => void;
}

export interface ReaderProcess {
  read(request: ExtractRequest, options: RunOptions): Promise<ExtractedDocument>;
  /** It is dying or has grown too large: it is not asked again. */
  isSpent(): boolean;
  /** Ends it, whatever it does. */
  end(): void;
}

interface Reading extends RunOptions {
  readonly resolve: (document: ExtractedDocument) => void;
  readonly reject: (reason: KnowledgeError) => void;
  readonly startedAt: number;
  aliveAt: number;
}

const WATCH_MS = 100;

export function startReader(options: ReaderOptions, onEnd: () => void): ReaderProcess {
  const { log } = options;
  const child = startChild(options, {
    onReply: (reply) => hear(reply),
    onUnreadable(reason) {
      log.warn("extract.unreadable", { reason });
      kill(crashed(""));
    },
  });
  let reading: Reading | undefined;
  let restsSince = performance.now();
  let spent = false;

  const settle = (act: (ended: Reading) => void) => {
    if (reading === undefined) return;
    const ended = reading;
    reading = undefined;
    restsSince = performance.now();
    ended.signal?.removeEventListener("abort", abort);
    child.keepsAlive(false);
    act(ended);
  };
  const kill = (reason: KnowledgeError) => {
    spent = true;
    child.kill();
    settle(({ reject }) => reject(reason));
  };
  const abort = () => kill(cancelled());
  // One timer for all there is to watch, and none a file: small files take less than a millisecond.
  const watch = setInterval(async () => {
    const watched = reading;
    if (watched === undefined) {
      if (performance.now() - restsSince > options.idleMs) kill(cancelled());
      return;
    }
    const reason = await excess(watched, child.pid, options.settings);
    if (reason !== undefined && watched === reading) kill(reason);
  }, WATCH_MS).unref();
  const finish = (outcome: Outcome) => {
    spent ||= outcome.exhausted === true;
    settle(({ resolve, reject }) =>
      outcome.kind === "done" ? resolve(outcome.document) : reject(toError(outcome, log)),
    );
  };

  const hear = (reply: Reply) => {
    if (reading === undefined) return;
    if (reply.kind === "done" || reply.kind === "failed") return finish(reply);
    reading.aliveAt = performance.now();
    if (reply.kind === "progress") reading.onProgress?.(reply.progress);
  };
  child.ended.then(({ signal, stderr, cause }) => {
    spent = true;
    clearInterval(watch);
    if (reading !== undefined) log.warn("extract.crashed", { signal, stderr, cause });
    settle(({ reject }) => reject(cause === undefined ? crashed(stderr) : toKnowledgeError(cause)));
    onEnd();
  });

  return {
    read(request, { signal, onProgress }) {
      return new Promise((resolve, reject) => {
        const startedAt = performance.now();
        reading = {
          resolve,
          reject,
          startedAt,
          aliveAt: startedAt,
          ...(signal && { signal }),
          ...(onProgress && { onProgress }),
        };
        signal?.addEventListener("abort", abort, { once: true });
        child.keepsAlive(true);
        child.send(request);
      });
    },
    isSpent: () => spent,
    end() {
      kill(cancelled());
      // Whoever waits for the end must not be left by a process that has nothing else to do: the child is gone
      // when its pipes are closed, which may be after its exit.
      child.keepsAlive(true);
    },
  };
}

/** Why the file is given up, if it has taken too much. */
async function excess(
  { startedAt, aliveAt }: Reading,
  pid: number,
  { limits }: ReadSettings,
): Promise<KnowledgeError | undefined> {
  const now = performance.now();
  if (now - aliveAt > limits.stallMs) return tookTooLong(limits.stallMs);
  if (now - startedAt > limits.totalMs) return tookTooLong(limits.totalMs);
  const held = await residentBytes(pid);
  return held !== undefined && held > limits.childRssBytes
    ? overLimit("reading it takes too much memory")
    : undefined;
}

function toError({ code, message, details, cause }: Failure, log: Log): KnowledgeError {
  if (cause !== undefined) log.info("extract.failed", { code, cause });
  return new KnowledgeError(code, message, { details });
}

function crashed(errors: string): KnowledgeError {
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
    `Reading the file was stopped after ${Math.round(ms / 1000)} s without progress. It may be damaged or built to hang readers.`,
  );
}

export function cancelled(): KnowledgeError {
  return new KnowledgeError("CANCELLED", "Reading the file was cancelled.");
}

// One process that parses files, one at a time. It is killed when a file takes too long or too much memory.
import { type ChildProcess, fork } from "node:child_process";
import { Socket } from "node:net";
import { fileURLToPath } from "node:url";
import type { ExtractedDocument } from "../domain/document.ts";
import { KnowledgeError } from "../domain/errors.ts";
import type { Log } from "../observe/log.ts";
import type { ExtractProgress, ExtractRequest } from "./extract.ts";
import { overLimit } from "./limits.ts";
import { residentBytes } from "./memory.ts";
import type { Failure, Outcome, Reply } from "./protocol.ts";
import type { ReadSettings } from "./reader.ts";

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
  const child = forkReader(options);
  const errors = lastErrors(child);
  let reading: Reading | undefined;
  let restsSince = performance.now();
  let spent = false;

  const settle = (act: (ended: Reading) => void) => {
    if (reading === undefined) return;
    const ended = reading;
    reading = undefined;
    restsSince = performance.now();
    ended.signal?.removeEventListener("abort", abort);
    keepsAlive(child, false);
    act(ended);
  };
  const kill = (reason: KnowledgeError) => {
    spent = true;
    child.kill("SIGKILL");
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
    const reason = await excess(watched, child, options.settings);
    if (reason !== undefined && watched === reading) kill(reason);
  }, WATCH_MS).unref();
  const finish = (outcome: Outcome) => {
    spent ||= outcome.worn === true;
    settle(({ resolve, reject }) =>
      outcome.kind === "done" ? resolve(outcome.document) : reject(toError(outcome, log)),
    );
  };

  child.on("message", (message: Reply) => {
    if (reading === undefined) return;
    if (message.kind === "done" || message.kind === "failed") return finish(message);
    reading.aliveAt = performance.now();
    if (message.kind === "progress") reading.onProgress?.(message.progress);
  });
  child.on("error", (error) => {
    log.warn("extract.child", { reason: error.message });
    kill(crashed(""));
  });
  child.once("close", (_code, signal) => {
    spent = true;
    clearInterval(watch);
    if (reading !== undefined) log.warn("extract.crashed", { signal, stderr: errors() });
    settle(({ reject }) => reject(crashed(errors())));
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
        // Of a crash the closed pipes tell, when the channel is gone already.
        keepsAlive(child, true);
        child.send(request);
      });
    },
    isSpent: () => spent,
    end() {
      kill(cancelled());
      // Whoever waits for the end must not be left by a process that has nothing else to do: the child is gone
      // when its pipes are closed, which may be after its exit.
      keepsAlive(child, true);
    },
  };
}

function forkReader({ childUrl, settings }: ReaderOptions): ChildProcess {
  const child = fork(fileURLToPath(childUrl), [JSON.stringify(settings)], {
    env: {},
    execArgv: [
      `--max-old-space-size=${settings.limits.childHeapMb}`,
      // A small heap would get a small nursery with it, which costs a fifth of the time.
      "--max-semi-space-size=32",
    ],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  // An idle child must not keep the server's process alive.
  keepsAlive(child, false);
  return child;
}

function keepsAlive(child: ChildProcess, does: boolean): void {
  const how = does ? "ref" : "unref";
  child[how]();
  child.channel?.[how]();
  if (child.stderr instanceof Socket) child.stderr[how]();
}

function lastErrors({ stderr }: ChildProcess): () => string {
  let errors = "";
  stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors = (errors + text).slice(-4000);
  });
  return () => errors;
}

/** Why the file is given up, if it has taken too much. */
async function excess(
  { startedAt, aliveAt }: Reading,
  child: ChildProcess,
  { limits }: ReadSettings,
): Promise<KnowledgeError | undefined> {
  const now = performance.now();
  if (now - aliveAt > limits.stallMs) return tookTooLong(limits.stallMs);
  if (now - startedAt > limits.totalMs) return tookTooLong(limits.totalMs);
  const held = await residentBytes(child.pid ?? 0);
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

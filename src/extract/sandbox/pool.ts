// A few reader processes and the files that wait for them. Callers share them equally, and one more process reads small
// files only.
//
//   queue ──▶ resting reader ──▶ reading ──done / failed──▶ resting (ended when idle or grown large)
//                                   └─ abort, stall, memory, crash ──▶ killed; the next file starts another
import { type Line, MAX_SMALL_BYTES, openLine, type Share } from "../../domain/call/turns.ts";
import type { ExtractedDocument } from "../../domain/document.ts";
import { KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import { settlesWithin } from "../../observe/silence.ts";
import type { ExtractRequest } from "../extract.ts";
import type { PageRequest, PageView } from "../view/view.ts";
import type { Job, Product } from "./protocol.ts";
import {
  cancelled,
  crashed,
  type ReaderOptions,
  type ReaderProcess,
  type RunOptions,
  startReader,
} from "./reader-process.ts";

export interface PoolOptions extends ReaderOptions {
  readonly workers: number;
}

export interface Pool {
  read(request: ExtractRequest, options?: RunOptions): Promise<ExtractedDocument>;
  /** Rejects with OVERLOADED if too many requests are waiting. */
  viewPage(request: PageRequest, options: RunOptions): Promise<PageView>;
  close(): Promise<void>;
}

interface Waiting extends Share {
  readonly start: (reader: ReaderProcess) => Promise<void>;
  readonly reject: (reason: unknown) => void;
}

// People have scrolled past any further pages by the time those would be rendered.
const MAX_WAITING = 40;
// A killed process exits within milliseconds, unless it hangs in the operating system.
const CLOSE_MS = 5_000;

interface PoolState {
  readonly line: Line<Waiting>;
  readonly readers: Set<ReaderProcess>;
  readonly resting: ReaderProcess[];
  closing?: PromiseWithResolvers<void>;
}

interface PoolCore extends PoolOptions {
  readonly state: PoolState;
}

export function openPool(options: PoolOptions): Pool {
  const state: PoolState = {
    line: openLine(options.workers),
    readers: new Set(),
    resting: [],
  };
  const pool: PoolCore = { ...options, state };
  return {
    async read(request, how = {}) {
      const product = await run(pool, request, how);
      if (product.kind === "done") return product.document;
      throw crashed("");
    },
    async viewPage(request, how) {
      if (state.line.waiting().length >= MAX_WAITING) throw tooMany();
      const product = await run(pool, request, how);
      if (product.kind === "seen") return product.view;
      throw crashed("");
    },
    close: () => close(pool),
  };
}

function run(pool: PoolCore, job: Job, how: RunOptions) {
  return new Promise<Product>((resolve, reject) => {
    const { line, closing } = pool.state;
    const { signal } = how;
    if (closing !== undefined || signal?.aborted) return reject(cancelled());
    const waiting: Waiting = {
      ...shareOf(job),
      reject,
      start(reader) {
        signal?.removeEventListener("abort", leave);
        // Not killed when its caller disconnects, because rendering a page takes less time than
        // starting a process.
        return reader.run(job, "want" in job ? {} : how).then(resolve, reject);
      },
    };
    const leave = () => {
      line.leave(waiting);
      reject(cancelled());
    };
    signal?.addEventListener("abort", leave, { once: true });
    line.join(waiting);
    pump(pool);
  });
}

/** Pages to render are all alike. */
function shareOf(job: Job): Share {
  if ("want" in job) return { caller: "", isSmall: false };
  return { caller: job.caller, isSmall: job.sizeBytes <= MAX_SMALL_BYTES };
}

function pump(pool: PoolCore): void {
  const { state } = pool;
  while (state.closing === undefined && hasReader(pool)) {
    const next = state.line.start();
    if (next === undefined) return;
    void readNext(pool, next);
  }
}

/** A process that was killed counts until it has exited: one that hangs in the operating system keeps its memory. */
function hasReader({ state: { resting, readers }, workers }: PoolCore): boolean {
  return readers.size < workers + 1 || resting.some((reader) => !reader.isSpent());
}

async function readNext(pool: PoolCore, next: Waiting): Promise<void> {
  const { line } = pool.state;
  try {
    const reader = free(pool);
    await next.start(reader).finally(() => line.leave(next));
    release(pool, reader);
  } catch (thrown) {
    // No process can be started, so the file that needed it fails.
    line.leave(next);
    next.reject(toKnowledgeError(thrown));
  }
}

function free(pool: PoolCore): ReaderProcess {
  const rested = pool.state.resting.pop();
  if (rested === undefined) return start(pool);
  return rested.isSpent() ? free(pool) : rested;
}

function start(pool: PoolCore): ReaderProcess {
  const { state } = pool;
  const reader = startReader(pool, () => {
    state.readers.delete(reader);
    if (state.readers.size === 0) state.closing?.resolve();
    pump(pool);
  });
  state.readers.add(reader);
  return reader;
}

function release(pool: PoolCore, reader: ReaderProcess): void {
  if (pool.state.closing !== undefined || reader.isSpent()) {
    reader.end();
    return;
  }
  pool.state.resting.push(reader);
  pump(pool);
}

async function close({ state }: PoolCore): Promise<void> {
  state.closing ??= Promise.withResolvers();
  for (const waiting of [...state.line.waiting()]) {
    state.line.leave(waiting);
    waiting.reject(cancelled());
  }
  for (const reader of state.readers) reader.end();
  if (state.readers.size === 0) state.closing.resolve();
  if (await settlesWithin(state.closing.promise, CLOSE_MS)) return;
  throw new KnowledgeError("SYSTEM_UNAVAILABLE", "A reader process could not be stopped.");
}

function tooMany(): KnowledgeError {
  return new KnowledgeError(
    "OVERLOADED",
    "Too many pages are waiting to be rendered. Try again in a moment.",
    { details: { retry_after_seconds: 2 } },
  );
}

// A few reader processes and the files that wait for them.
//
//   queue ──▶ resting reader ──▶ reading ──done / failed──▶ resting (ended when idle or grown large)
//                                   └─ abort, stall, memory, crash ──▶ killed; the next file starts another
import type { ExtractedDocument } from "../../domain/document.ts";
import { KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import { settlesWithin } from "../../observe/silence.ts";
import type { ExtractRequest } from "../extract.ts";
import {
  cancelled,
  type ReaderOptions,
  type ReaderProcess,
  type RunOptions,
  startReader,
} from "./reader-process.ts";

export interface PoolOptions extends ReaderOptions {
  readonly workers: number;
}

export interface Pool {
  run(request: ExtractRequest, options: RunOptions): Promise<ExtractedDocument>;
  close(): Promise<void>;
}

interface Waiting {
  readonly start: (reader: ReaderProcess) => Promise<void>;
  readonly reject: (reason: unknown) => void;
}

// A killed process is gone in milliseconds, unless it hangs in the operating system.
const CLOSE_MS = 5_000;

export function openPool(options: PoolOptions): Pool {
  const queue: Waiting[] = [];
  const readers = new Set<ReaderProcess>();
  const resting: ReaderProcess[] = [];
  let closing: PromiseWithResolvers<void> | undefined;

  const start = (): ReaderProcess => {
    const reader = startReader(options, () => {
      readers.delete(reader);
      if (readers.size === 0) closing?.resolve();
      pump();
    });
    readers.add(reader);
    return reader;
  };
  const free = (): ReaderProcess | undefined => {
    const rested = resting.pop();
    if (rested !== undefined) return rested.isSpent() ? free() : rested;
    return readers.size < options.workers ? start() : undefined;
  };
  /** When no process can be started, the file that it was for is the one that is not read. */
  const freeOrFail = (): ReaderProcess | undefined => {
    try {
      return free();
    } catch (thrown) {
      queue.shift()?.reject(toKnowledgeError(thrown));
      return undefined;
    }
  };
  const rest = (reader: ReaderProcess) => {
    if (closing !== undefined || reader.isSpent()) return reader.end();
    resting.push(reader);
    pump();
  };
  const pump = () => {
    while (closing === undefined && queue.length > 0) {
      const reader = freeOrFail();
      if (reader === undefined) return;
      void queue
        .shift()
        ?.start(reader)
        .then(() => rest(reader));
    }
  };

  return {
    run: (request, running) =>
      new Promise((resolve, reject) => {
        const { signal } = running;
        if (closing !== undefined || signal?.aborted) return reject(cancelled());
        const waiting: Waiting = {
          reject,
          start(reader) {
            signal?.removeEventListener("abort", leave);
            return reader.read(request, running).then(resolve, reject);
          },
        };
        const leave = () => {
          queue.splice(queue.indexOf(waiting), 1);
          reject(cancelled());
        };
        signal?.addEventListener("abort", leave, { once: true });
        queue.push(waiting);
        pump();
      }),
    async close() {
      closing ??= Promise.withResolvers();
      for (const waiting of queue.splice(0)) waiting.reject(cancelled());
      for (const reader of readers) reader.end();
      if (readers.size === 0) closing.resolve();
      if (await settlesWithin(closing.promise, CLOSE_MS)) return;
      throw new KnowledgeError("SYSTEM_UNAVAILABLE", "A reader's process cannot be ended.");
    },
  };
}

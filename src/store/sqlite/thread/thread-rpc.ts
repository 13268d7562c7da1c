// Calls to a worker thread, one at a time. They wait on this side, so that an aborted call is never started.
//
//   call ──▶ waiting ──▶ current ──reply──▶ resolved or rejected
//              │ abort: dropped  │ the thread is lost: rejected as such, and another thread takes the next
import type { Worker } from "node:worker_threads";
import type { Sight } from "../../../domain/call/sight.ts";
import { KnowledgeError } from "../../../domain/errors.ts";
import { settlesWithin } from "../../../observe/silence.ts";
import { type CallMessage, fromWireError, type ReplyMessage } from "./serve-calls.ts";

// biome-ignore lint/suspicious/noExplicitAny: any function is a method, whatever it takes
export type Methods = Record<string, (...args: any[]) => unknown>;

export interface CallsOptions {
  readonly start: () => Worker;
  /** Starts the thread now, so that an early first call does not wait for it. */
  readonly startsEarly?: boolean;
  /** The error for a call whose reply will never come. */
  readonly toLost: (cause: unknown) => KnowledgeError;
  /** How long closing waits for the calls before it. */
  readonly closeMs?: number;
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly sight?: Sight | undefined;
}

/** What a caller gets of a method that may itself wait. */
export type Settled<Result> = Result extends Promise<infer Value> ? Value : Result;

export interface Calls<Served extends Methods> {
  call<Name extends keyof Served & string>(
    method: Name,
    args: Parameters<Served[Name]>,
    options?: CallOptions,
  ): Promise<Settled<ReturnType<Served[Name]>>>;
  /** Closes the database after the calls before it; the next call opens it again. */
  release(): Promise<void>;
  /** Rejects if the thread cannot be terminated. */
  close(): Promise<void>;
}

interface Pending extends CallMessage {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

// A transaction is all or nothing, so a call that takes too long can be aborted.
const CLOSE_MS = 3_000;
// Terminating a thread takes milliseconds of the processor, unless it is inside a SQLite call, which must return first.
const END_MS = 2_500;

const CLOSING: ReadonlySet<string> = new Set(["close", "close-database"]);

/** The thread starts with the first call, unless it is started early, and again after it was lost. */
export function openCalls<Served extends Methods>(options: CallsOptions): Calls<Served> {
  const queue: CallQueue = { options, waiting: [], lastId: 0, isClosed: false };
  if (options.startsEarly) startEarly(queue);
  return {
    call: async (method, args, given = {}) => {
      if (queue.isClosed) throw closing();
      return send(queue, { method, args, ...given }) as Promise<
        Settled<ReturnType<Served[typeof method]>>
      >;
    },
    async release() {
      if (isUsed(queue)) await send(queue, { method: "close-database", args: [] });
    },
    async close() {
      queue.isClosed = true;
      if (!isUsed(queue)) return;
      const closed = send(queue, { method: "close", args: [] });
      await settlesWithin(closed, options.closeMs ?? CLOSE_MS);
      for (const { reject } of queue.waiting.splice(0)) reject(closing());
      const isEnded = queue.thread ? await settlesWithin(queue.thread.terminate(), END_MS) : true;
      takeCall(queue)?.reject(closing());
      if (!isEnded) throw stuck();
    },
  };
}

/** The waiting calls and the current one. */
interface CallQueue {
  readonly options: CallsOptions;
  readonly waiting: Pending[];
  lastId: number;
  isClosed: boolean;
  thread?: Worker | undefined;
  call?: Pending | undefined;
}

function isUsed(queue: CallQueue): boolean {
  return queue.thread !== undefined || queue.waiting.length > 0;
}

interface Sent extends CallOptions {
  readonly method: string;
  readonly args: readonly unknown[];
}

function send(queue: CallQueue, sent: Sent): Promise<unknown> {
  const { method, args, sight, signal } = sent;
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const call = { id: ++queue.lastId, method, args, sight, resolve, reject };
  const onAbort = () => {
    const at = queue.waiting.indexOf(call);
    if (at >= 0) queue.waiting.splice(at, 1);
    reject(cancelled(signal));
  };
  if (signal?.aborted) onAbort();
  else {
    queue.waiting.push(call);
    sendNext(queue);
  }
  signal?.addEventListener("abort", onAbort, { once: true });
  return promise.finally(() => signal?.removeEventListener("abort", onAbort));
}

function sendNext(queue: CallQueue): void {
  if (queue.call) return;
  queue.call = queue.waiting.shift();
  if (!queue.call) {
    queue.thread?.unref();
    return;
  }
  const { id, method, args, sight } = queue.call;
  // A thread that was lost has nothing open: no other one is started to close it.
  if (!queue.thread && CLOSING.has(method)) {
    takeCall(queue)?.resolve(undefined);
    sendNext(queue);
    return;
  }
  try {
    queue.thread ??= startThread(queue);
    queue.thread.ref();
    queue.thread.postMessage({ id, method, args, sight } satisfies CallMessage);
  } catch (thrown) {
    takeCall(queue)?.reject(thrown);
    sendNext(queue);
  }
}

function startEarly(queue: CallQueue): void {
  try {
    queue.thread = startThread(queue);
    queue.thread.unref();
  } catch {
    // The first call tries again and reports the failure.
  }
}

/** While it has no work, it does not keep the process alive. */
function startThread(queue: CallQueue): Worker {
  const thread = queue.options.start();
  thread.on("message", (reply: ReplyMessage) => {
    const { call } = queue;
    if (call?.id !== reply.id) return;
    queue.call = undefined;
    sendNext(queue);
    if ("unsendable" in reply) call.reject(queue.options.toLost(new Error(reply.unsendable)));
    else if ("error" in reply) call.reject(fromWireError(reply.error));
    else call.resolve(reply.result);
  });
  const lose = (cause: unknown) => {
    if (queue.thread !== thread) return;
    queue.thread = undefined;
    // Nobody waits for it any more; uncommitted work is rolled back.
    thread.unref();
    void thread.terminate();
    takeCall(queue)?.reject(queue.options.toLost(cause));
    sendNext(queue);
  };
  thread.on("messageerror", lose);
  thread.on("error", lose);
  thread.on("exit", (code) => lose(new Error(`the thread ended (${code})`)));
  return thread;
}

function takeCall(queue: CallQueue): Pending | undefined {
  const { call } = queue;
  queue.call = undefined;
  return call;
}

function stuck(): KnowledgeError {
  return new KnowledgeError(
    "STORE_UNAVAILABLE",
    "A thread of the database hangs in the operating system and cannot be stopped. Check the disk that holds the data folder.",
    { details: { isStuck: true } },
  );
}

function closing(): KnowledgeError {
  return new KnowledgeError("STORE_UNAVAILABLE", "The server is closing. Start it again.");
}

export function cancelled(signal: AbortSignal | undefined): KnowledgeError {
  return new KnowledgeError("CANCELLED", "The call was cancelled.", { cause: signal?.reason });
}

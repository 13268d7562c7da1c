// Calls to a worker thread, one at a time. They wait on this side, so that an aborted call is never started.
//
//   call ──▶ waiting ──▶ current ──reply──▶ resolved or rejected
//              │ abort: dropped  │ the thread is lost: rejected as such, and another thread takes the next
import type { TransferListItem } from "node:worker_threads";
import { KnowledgeError } from "../../../domain/errors.ts";
import { settlesWithin } from "../../../observe/silence.ts";
import { type CallMessage, fromWireError } from "./call-messages.ts";
import { openThread, type Thread, type ThreadOptions } from "./thread.ts";

// biome-ignore lint/suspicious/noExplicitAny: any function is a method, whatever it takes
type Methods = Record<string, (...args: any[]) => unknown>;

export interface CallsOptions extends ThreadOptions {
  /** The thread starts now, so that a first call that comes soon does not wait for it. */
  readonly startsAhead?: boolean;
  /** The error for a call whose reply will never come. */
  readonly toLost: (cause: unknown) => KnowledgeError;
  /** How long closing waits for the calls before it. */
  readonly closeMs?: number;
}

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly transfer?: readonly TransferListItem[];
}

export interface Calls<Served extends Methods> {
  call<Name extends keyof Served & string>(
    method: Name,
    args: Parameters<Served[Name]>,
    options?: CallOptions,
  ): Promise<ReturnType<Served[Name]>>;
  /** Closes the database after the calls before it; the next call opens it again. */
  release(): Promise<void>;
  /** Rejects if the thread cannot be terminated. */
  close(): Promise<void>;
}

interface Pending extends CallMessage {
  readonly transfer: readonly TransferListItem[];
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

// A transaction is all or nothing, so a call that takes too long can be aborted.
const CLOSE_MS = 3_000;

/** The thread starts with the first call, unless it starts ahead of it, and again after it was lost. */
export function openCalls<Served extends Methods>(options: CallsOptions): Calls<Served> {
  const line: Line = { options, waiting: [], lastId: 0, isClosed: false };
  if (options.startsAhead) startAhead(line);
  return {
    call: async (method, args, given = {}) => {
      if (line.isClosed) throw closing();
      return send(line, { method, args, ...given }) as Promise<ReturnType<Served[typeof method]>>;
    },
    async release() {
      if (isUsed(line)) await send(line, { method: "close-database", args: [] });
    },
    async close() {
      line.isClosed = true;
      if (!isUsed(line)) return;
      const closed = send(line, { method: "close", args: [] });
      await settlesWithin(closed, options.closeMs ?? CLOSE_MS);
      for (const { reject } of line.waiting.splice(0)) reject(closing());
      const isEnded = (await line.thread?.end()) ?? true;
      takeCall(line)?.reject(closing());
      if (!isEnded) throw stuck();
    },
  };
}

/** The waiting calls and the current one. */
interface Line {
  readonly options: CallsOptions;
  readonly waiting: Pending[];
  lastId: number;
  isClosed: boolean;
  thread?: Thread | undefined;
  call?: Pending | undefined;
}

function isUsed(line: Line): boolean {
  return line.thread !== undefined || line.waiting.length > 0;
}

interface Sent extends CallOptions {
  readonly method: string;
  readonly args: readonly unknown[];
}

function send(line: Line, { method, args, signal, transfer = [] }: Sent): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const call = { id: ++line.lastId, method, args, transfer, resolve, reject };
  const onAbort = () => {
    const at = line.waiting.indexOf(call);
    if (at >= 0) line.waiting.splice(at, 1);
    reject(cancelled(signal));
  };
  if (signal?.aborted) onAbort();
  else {
    line.waiting.push(call);
    askNext(line);
  }
  signal?.addEventListener("abort", onAbort, { once: true });
  return promise.finally(() => signal?.removeEventListener("abort", onAbort));
}

function askNext(line: Line): void {
  if (line.call) return;
  line.call = line.waiting.shift();
  if (!line.call) {
    line.thread?.rest();
    return;
  }
  const { id, method, args, transfer } = line.call;
  try {
    line.thread ??= startThread(line);
    line.thread.ask({ id, method, args }, transfer);
  } catch (thrown) {
    takeCall(line)?.reject(thrown);
    askNext(line);
  }
}

function startAhead(line: Line): void {
  try {
    line.thread = startThread(line);
    line.thread.rest();
  } catch {
    // Tried again by the first call, which reports it.
  }
}

function startThread(line: Line): Thread {
  return openThread(line.options, {
    onReply(reply) {
      const { call } = line;
      if (call?.id !== reply.id) return;
      line.call = undefined;
      askNext(line);
      if ("unsendable" in reply) call.reject(line.options.toLost(new Error(reply.unsendable)));
      else if ("error" in reply) call.reject(fromWireError(reply.error));
      else call.resolve(reply.result);
    },
    onLost(cause) {
      line.thread = undefined;
      takeCall(line)?.reject(line.options.toLost(cause));
      askNext(line);
    },
  });
}

function takeCall(line: Line): Pending | undefined {
  const { call } = line;
  line.call = undefined;
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

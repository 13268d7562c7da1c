// Calls to a worker thread, one at a time. They wait on this side, so that an aborted call is never started.
//
//   call ──▶ waiting ──▶ current ──reply──▶ resolved or rejected
//              │ abort: dropped  │ the thread is lost: rejected as such, and another thread takes the next
import type { TransferListItem } from "node:worker_threads";
import { KnowledgeError } from "../../../domain/errors.ts";
import { settlesWithin } from "../../../observe/silence.ts";
import { type CallMessage, fromWireError, type ReplyMessage } from "./call-messages.ts";
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
  const line = openLine(options);
  if (options.startsAhead) line.prepare();
  const state = { lastId: 0, isClosed: false };
  const send = (method: string, args: readonly unknown[], given: CallOptions) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const { signal, transfer = [] } = given;
    const call = { id: ++state.lastId, method, args, transfer, resolve, reject };
    const onAbort = () => {
      line.drop(call);
      reject(cancelled(signal));
    };
    if (signal?.aborted) onAbort();
    else line.add(call);
    signal?.addEventListener("abort", onAbort, { once: true });
    return promise.finally(() => signal?.removeEventListener("abort", onAbort));
  };
  return {
    call: async (method, args, given = {}) => {
      if (state.isClosed) throw closing();
      return send(method, args, given) as Promise<ReturnType<Served[typeof method]>>;
    },
    async release() {
      if (line.isUsed()) await send("close-database", [], {});
    },
    async close() {
      state.isClosed = true;
      if (!line.isUsed()) return;
      await settlesWithin(send("close", [], {}), options.closeMs ?? CLOSE_MS);
      if (!(await line.end())) throw stuck();
    },
  };
}

/** The waiting calls and the current one. */
interface LineState {
  readonly options: CallsOptions;
  readonly waiting: Pending[];
  thread?: Thread | undefined;
  call?: Pending | undefined;
}

function openLine(options: CallsOptions) {
  const line: LineState = { options, waiting: [] };
  return {
    prepare() {
      try {
        threadOf(line).rest();
      } catch {
        // Tried again by the first call, which reports it.
      }
    },
    add(call: Pending) {
      line.waiting.push(call);
      askNext(line);
    },
    drop(call: Pending) {
      const at = line.waiting.indexOf(call);
      if (at >= 0) line.waiting.splice(at, 1);
    },
    isUsed: () => line.thread !== undefined || line.waiting.length > 0,
    async end() {
      for (const { reject } of line.waiting.splice(0)) reject(closing());
      const ended = (await line.thread?.end()) ?? true;
      takeCall(line)?.reject(closing());
      return ended;
    },
  };
}

function takeCall(line: LineState): Pending | undefined {
  const { call } = line;
  line.call = undefined;
  return call;
}

function askNext(line: LineState): void {
  if (line.call) return;
  line.call = line.waiting.shift();
  if (!line.call) {
    line.thread?.rest();
    return;
  }
  const { id, method, args, transfer } = line.call;
  try {
    threadOf(line).ask({ id, method, args }, transfer);
  } catch (thrown) {
    takeCall(line)?.reject(thrown);
    askNext(line);
  }
}

function threadOf(line: LineState): Thread {
  line.thread ??= openThread(line.options, {
    onReply: (reply) => settle(line, reply),
    onLost(cause) {
      line.thread = undefined;
      takeCall(line)?.reject(line.options.toLost(cause));
      askNext(line);
    },
  });
  return line.thread;
}

function settle(line: LineState, reply: ReplyMessage): void {
  if (line.call?.id !== reply.id) return;
  const call = takeCall(line);
  askNext(line);
  if ("unsendable" in reply) call?.reject(line.options.toLost(new Error(reply.unsendable)));
  else if ("error" in reply) call?.reject(fromWireError(reply.error));
  else call?.resolve(reply.result);
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

// Calls to a worker thread. Calls wait on this side, so that one that is given up is never started.
import type { TransferListItem, Worker } from "node:worker_threads";
import { ERRORS, type ErrorCode, KnowledgeError } from "../../domain/errors.ts";

export interface CallMessage {
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

export type ReplyMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: WireError };

interface WireError {
  readonly code?: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
}

export function toWireError(thrown: unknown): WireError {
  const { message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (!(thrown instanceof KnowledgeError)) return { message, stack };
  return { code: thrown.code, message, stack, details: thrown.details };
}

function fromWireError({ code, message, stack, details = {} }: WireError): Error {
  const cause = Object.assign(new Error(message), { stack });
  if (code === undefined || !(code in ERRORS)) return cause;
  return new KnowledgeError(code as ErrorCode, message, { details, cause });
}

// biome-ignore lint/suspicious/noExplicitAny: any function is a method, whatever it takes
type Methods = Record<string, (...args: any[]) => unknown>;

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  readonly transfer?: readonly TransferListItem[];
}

export interface Calls<Served extends Methods> {
  call<Name extends keyof Served & string>(
    method: Name,
    args: Parameters<Served[Name]>,
    options?: CallOptions,
  ): Promise<ReturnType<Served[Name]>>;
  close(): Promise<void>;
}

interface Pending extends CallMessage {
  readonly transfer: readonly TransferListItem[];
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** The thread starts with the first call, and again after it died. */
export function openCalls<Served extends Methods>(start: () => Worker): Calls<Served> {
  let worker: Worker | undefined;
  let lastId = 0;
  let current: Pending | undefined;
  const waiting: Pending[] = [];

  const running = (): Worker => {
    if (worker) return worker;
    const started = start();
    started.on("message", (reply: ReplyMessage) => settle(reply));
    started.on("error", (cause) => lose(started, cause));
    started.on("exit", () => lose(started, undefined));
    worker = started;
    return started;
  };
  const lose = (lost: Worker, cause: unknown) => {
    if (worker !== lost) return;
    worker = undefined;
    const failed = current;
    current = undefined;
    failed?.reject(
      new KnowledgeError("STORE_UNAVAILABLE", "The database's thread ended; try again.", { cause }),
    );
    next();
  };
  const settle = (reply: ReplyMessage) => {
    const done = current;
    if (done?.id !== reply.id) return;
    current = undefined;
    next();
    if ("error" in reply) done.reject(fromWireError(reply.error));
    else done.resolve(reply.result);
  };
  const next = () => {
    if (current) return;
    current = waiting.shift();
    if (!current) {
      // An idle thread does not keep the process alive.
      worker?.unref();
      return;
    }
    const { id, method, args, transfer } = current;
    const target = running();
    target.ref();
    try {
      target.postMessage({ id, method, args } satisfies CallMessage, transfer);
    } catch (thrown) {
      const failed = current;
      current = undefined;
      failed.reject(thrown);
      next();
    }
  };
  const send = (method: string, args: readonly unknown[], options: CallOptions) =>
    new Promise<unknown>((resolve, reject) => {
      const { signal, transfer = [] } = options;
      if (signal?.aborted) {
        reject(cancelled(signal));
        return;
      }
      const onAbort = () => {
        const at = waiting.indexOf(pending);
        if (at >= 0) waiting.splice(at, 1);
        reject(cancelled(signal));
      };
      const done = () => signal?.removeEventListener("abort", onAbort);
      const pending: Pending = {
        id: ++lastId,
        method,
        args,
        transfer,
        resolve: (result) => {
          done();
          resolve(result);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      };
      signal?.addEventListener("abort", onAbort, { once: true });
      waiting.push(pending);
      next();
    });
  return {
    call: (method, args, options = {}) =>
      send(method, args, options) as Promise<ReturnType<Served[typeof method]>>,
    async close() {
      if (!worker && waiting.length === 0) return;
      await send("close", [], {});
      await worker?.terminate();
    },
  };
}

function cancelled(signal: AbortSignal | undefined): KnowledgeError {
  return new KnowledgeError("CANCELLED", "The call was cancelled.", { cause: signal?.reason });
}

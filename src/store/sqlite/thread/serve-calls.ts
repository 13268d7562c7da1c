// The messages between a store and its thread, and the thread's side: it serves one call at a time and replies to each,
// even if it fails. The next call is only sent after the reply to the one before.
import type { MessagePort } from "node:worker_threads";
import type { Sight } from "../../../domain/call/sight.ts";
import { isErrorCode, KnowledgeError } from "../../../domain/errors.ts";
import { toStoreError } from "../failures.ts";

export interface CallMessage {
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
  /** What the caller may see; everything if absent. */
  readonly sight?: Sight | undefined;
}

export type ReplyMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: WireError }
  /** The call succeeded, but its result cannot be sent. */
  | { readonly id: number; readonly unsendable: string };

interface WireError {
  readonly code?: string;
  readonly message: string;
  readonly stack?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
}

export function serveCalls(port: MessagePort, serve: (call: CallMessage) => unknown): void {
  const replyTo = async (call: CallMessage): Promise<ReplyMessage> => {
    try {
      return { id: call.id, result: await serve(call) };
    } catch (thrown) {
      return { id: call.id, error: toWireError(toStoreError(thrown)) };
    }
  };
  port.on("message", async (call: CallMessage) => {
    const reply = await replyTo(call);
    try {
      port.postMessage(reply);
    } catch (thrown) {
      port.postMessage({ id: call.id, unsendable: String(thrown) } satisfies ReplyMessage);
    }
    if (call.method === "close") port.close();
  });
}

function toWireError(thrown: unknown): WireError {
  const { message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (!(thrown instanceof KnowledgeError)) return { message, stack };
  return { code: thrown.code, message, stack, details: thrown.details };
}

export function fromWireError({ code, message, stack, details = {} }: WireError): Error {
  const cause = Object.assign(new Error(message), { stack });
  if (code === undefined || !isErrorCode(code)) return cause;
  return new KnowledgeError(code, message, { details, cause });
}

// Messages to and from a thread.
import { isErrorCode, KnowledgeError } from "../../../domain/errors.ts";

export interface CallMessage {
  readonly id: number;
  readonly method: string;
  readonly args: readonly unknown[];
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

export function toWireError(thrown: unknown): WireError {
  const { message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown));
  if (!(thrown instanceof KnowledgeError)) return { message, stack };
  return { code: thrown.code, message, stack, details: thrown.details };
}

export function fromWireError({ code, message, stack, details = {} }: WireError): Error {
  const cause = Object.assign(new Error(message), { stack });
  if (code === undefined || !isErrorCode(code)) return cause;
  return new KnowledgeError(code, message, { details, cause });
}

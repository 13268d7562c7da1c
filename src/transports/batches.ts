// Several messages at once, which only revision 2025-03-26 has: their responses are sent together.
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { JSON_RPC } from "../domain/call/rpc-error.ts";
import { refuse, toBatch, type WireError } from "./message.ts";

/** The only revision with batches; later ones removed them. */
export const BATCH_REVISION = "2025-03-26";

type Id = string | number;

/** The responses so far of one batch. */
interface Batch {
  readonly responses: unknown[];
  /** Requests that are running, and one while messages are still passed on. */
  open: number;
}

/** `send` gets the responses of a batch when every request in it has ended: none if all were cancelled. */
export function openBatches(send: (responses: readonly unknown[]) => void) {
  const owners = new Map<Id, Batch>();
  const close = (batch: Batch) => {
    batch.open -= 1;
    if (batch.open === 0) send(batch.responses);
  };
  /** True if the id is a batch's. A cancelled request never gets a response. */
  const end = (id: Id, response?: unknown): boolean => {
    const owner = owners.get(id);
    owners.delete(id);
    if (response !== undefined) owner?.responses.push(response);
    if (owner) close(owner);
    return owner !== undefined;
  };
  return {
    /**
     * Passes each message on; an unreadable or refused one gets its error together with the other responses. Returns
     * the refusal of the whole, if there is one.
     */
    take(
      values: readonly unknown[],
      passOn: (message: JSONRPCMessage) => unknown,
    ): WireError | undefined {
      const read = toBatch(values);
      if (!read.ok) return read.error;
      const batch: Batch = { responses: [], open: 1 };
      // All are registered before the first is passed on: its response must not end the batch.
      const given = read.messages.flatMap((parsed) => {
        const refusal = parsed.ok ? register(owners, parsed.message, batch) : parsed.error;
        if (refusal !== undefined) batch.responses.push(refusal);
        return parsed.ok && refusal === undefined ? [parsed.message] : [];
      });
      for (const message of given) {
        const refusal = passOn(message);
        if (refusal !== undefined && "id" in message) end(message.id as Id, refusal);
      }
      close(batch);
      return undefined;
    },
    /** True if the response belongs to a batch and will be sent with it. */
    keep: (message: JSONRPCMessage) =>
      !("method" in message) && message.id !== undefined && end(message.id, message),
    forget: (id: Id) => void end(id),
  };
}

export type Batches = ReturnType<typeof openBatches>;

/** The refusal, if a request with this id is running. */
function register(owners: Map<Id, Batch>, message: JSONRPCMessage, batch: Batch): unknown {
  if (!("method" in message && "id" in message)) return undefined;
  const { id } = message;
  if (owners.has(id)) {
    return refuse(JSON_RPC.invalidRequest, "A request with this id is still running.", id).error;
  }
  owners.set(id, batch);
  batch.open += 1;
  return undefined;
}

// Several messages in one line, which only revision 2025-03-26 has: their responses are sent together as one array.
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { JSON_RPC } from "../domain/call/rpc-error.ts";
import { refuse, toBatch } from "./message.ts";

/** The only revision with batches; later ones removed them. */
export const BATCH_REVISION = "2025-03-26";

interface Batch {
  readonly waiting: Set<string | number>;
  readonly responses: unknown[];
}

export interface Batches {
  /** Passes each message on; an unreadable one gets its error together with the other responses. */
  take(values: readonly unknown[], passOn: (message: JSONRPCMessage) => unknown): void;
  /** True if the response belongs to a batch and will be sent with it. */
  keep(message: JSONRPCMessage): boolean;
  /** A cancelled request never gets a response. */
  forget(id: string | number): void;
}

export function openBatches(write: (message: unknown) => void): Batches {
  const owners = new Map<string | number, Batch>();
  const sendWhenComplete = (batch: Batch) => {
    if (batch.waiting.size === 0 && batch.responses.length > 0) write(batch.responses.splice(0));
  };
  const forget = (id: string | number, response?: unknown) => {
    const batch = owners.get(id);
    if (!batch) return false;
    owners.delete(id);
    batch.waiting.delete(id);
    if (response !== undefined) batch.responses.push(response);
    sendWhenComplete(batch);
    return true;
  };
  const addRefusal = (message: JSONRPCMessage, refused: unknown) => {
    if (refused !== undefined && "id" in message) forget(message.id as string | number, refused);
  };
  return {
    take(values, passOn) {
      const read = toBatch(values);
      if (!read.ok) return write(read.error);
      const batch: Batch = { waiting: new Set(), responses: [] };
      const given: JSONRPCMessage[] = [];
      for (const parsed of read.messages) {
        const refused = parsed.ok ? register(owners, batch, parsed.message) : parsed.error;
        if (refused !== undefined) batch.responses.push(refused);
        else if (parsed.ok) given.push(parsed.message);
      }
      for (const message of given) addRefusal(message, passOn(message));
      sendWhenComplete(batch);
    },
    keep: (message) =>
      !("method" in message) && message.id !== undefined && forget(message.id, message),
    forget: (id) => void forget(id),
  };
}

/** Registers a request with the batch; refuses an id that is in use. */
function register(
  owners: Map<string | number, Batch>,
  batch: Batch,
  message: JSONRPCMessage,
): unknown {
  if (!("method" in message && "id" in message)) return undefined;
  const { id } = message;
  if (owners.has(id)) {
    return refuse(JSON_RPC.invalidRequest, "A request with this id is still running.", id).error;
  }
  owners.set(id, batch);
  batch.waiting.add(id);
  return undefined;
}

// Several messages at once, which only revision 2025-03-26 has: their responses are sent together.
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { JSON_RPC } from "../domain/call/rpc-error.ts";
import { refuse, toBatch } from "./message.ts";

/** The only revision with batches; later ones removed them. */
export const BATCH_REVISION = "2025-03-26";

/** Gathers the responses of one batch and passes them on when every request in it has ended. */
export function gatherResponses(onDone: (responses: readonly unknown[]) => void) {
  const responses: unknown[] = [];
  const state = { open: 0, isSealed: false };
  const check = () => {
    if (state.isSealed && state.open === 0) onDone(responses);
  };
  return {
    /** For a message that is refused. */
    add: (response: unknown) => void responses.push(response),
    begin() {
      state.open += 1;
    },
    /** A cancelled request never gets a response. */
    end(response?: unknown) {
      if (response !== undefined) responses.push(response);
      state.open -= 1;
      check();
    },
    /** Called when all messages of the batch have been passed on. */
    seal() {
      state.isSealed = true;
      check();
    },
  };
}

export type Responses = ReturnType<typeof gatherResponses>;
type Id = string | number;

/** The batches of a connection, on which all responses go the same way. */
export function openBatches(write: (message: unknown) => void) {
  const owners = new Map<Id, Responses>();
  const end = (id: Id, response?: unknown): boolean => {
    const owner = owners.get(id);
    owners.delete(id);
    owner?.end(response);
    return owner !== undefined;
  };
  const endIfRefused = (message: JSONRPCMessage, refusal: unknown) => {
    if (refusal !== undefined && "id" in message) end(message.id as Id, refusal);
  };
  return {
    /** Passes each message on; an unreadable or refused one gets its error together with the other responses. */
    take(values: readonly unknown[], passOn: (message: JSONRPCMessage) => unknown) {
      const read = toBatch(values);
      if (!read.ok) return write(read.error);
      const batch = gatherResponses((responses) => {
        if (responses.length > 0) write(responses);
      });
      // All are registered before the first is passed on: its response must not end the batch.
      const given = read.messages.filter((parsed) => {
        const refusal = parsed.ok ? register(owners, parsed.message, batch) : parsed.error;
        if (refusal !== undefined) batch.add(refusal);
        return refusal === undefined;
      });
      for (const parsed of given) {
        if (parsed.ok) endIfRefused(parsed.message, passOn(parsed.message));
      }
      batch.seal();
    },
    /** True if the response belongs to a batch and will be sent with it. */
    keep: (message: JSONRPCMessage) =>
      !("method" in message) && message.id !== undefined && end(message.id, message),
    forget: (id: Id) => void end(id),
  };
}

export type Batches = ReturnType<typeof openBatches>;

/** The refusal, if a request with this id is running. */
function register(owners: Map<Id, Responses>, message: JSONRPCMessage, batch: Responses): unknown {
  if (!("method" in message && "id" in message)) return undefined;
  const { id } = message;
  if (owners.has(id)) {
    return refuse(JSON_RPC.invalidRequest, "A request with this id is still running.", id).error;
  }
  owners.set(id, batch);
  batch.begin();
  return undefined;
}

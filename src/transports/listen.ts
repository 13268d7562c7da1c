// The SDK serves `subscriptions/listen` without asking our handlers. So the right to read and the limits on listening
// are checked here, on every transport.

import type { Principal } from "../domain/call/principal.ts";
import { JSON_RPC } from "../domain/call/rpc-error.ts";
import { ERRORS, type KnowledgeError, toKnowledgeError } from "../domain/errors.ts";
import type { Mcp, SubscriptionList } from "../mcp/mcp.ts";
import type { Fault } from "./http/exchange.ts";
import { RETRY_LATER, TOO_MANY } from "./http/faults.ts";

export type Listening = ReturnType<typeof openListening>;

/** Maximum number of streams of one connection; the SDK has the same limit. */
export const MAX_LISTENS = 64;

interface ListenMessage {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly requestId?: unknown;
    readonly notifications?: { readonly resourceSubscriptions?: unknown };
  };
}

const LISTEN = "subscriptions/listen";

export const isListen = (message: unknown) => (message as ListenMessage | null)?.method === LISTEN;

export function openListening({ subscriptions }: Pick<Mcp, "subscriptions">, principal: Principal) {
  const lists = new Map<unknown, SubscriptionList>();
  const end = (id: unknown) => {
    lists.get(id)?.close();
    lists.delete(id);
  };
  return {
    /** Why the message is refused, if it asks to listen and must not. */
    check(message: unknown): Fault | undefined {
      const { id = null, method, params } = message as ListenMessage;
      if (method === "notifications/cancelled") end(params?.requestId);
      if (method !== LISTEN) return undefined;
      end(id);
      if (lists.size >= MAX_LISTENS) return TOO_MANY;
      const list = subscriptions.open(principal);
      lists.set(id, list);
      try {
        list.add(urisOf(params?.notifications?.resourceSubscriptions));
        return undefined;
      } catch (thrown) {
        end(id);
        return toFault(toKnowledgeError(thrown));
      }
    },
    close() {
      for (const id of [...lists.keys()]) end(id);
    },
  };
}

function toFault({ code, message }: KnowledgeError): Fault {
  const { kind } = ERRORS[code];
  if (kind === "invalid") return { status: 400, code: JSON_RPC.invalidParams, message };
  if (kind === "denied") return { status: 403, code: JSON_RPC.refused, message };
  return { status: 503, code: JSON_RPC.refused, message, headers: RETRY_LATER };
}

/** Anything but a list of strings is left to the SDK, which refuses it. */
function urisOf(given: unknown): readonly string[] {
  return Array.isArray(given) ? given.filter((uri) => typeof uri === "string") : [];
}

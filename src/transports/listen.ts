// The SDK serves `subscriptions/listen` without asking our handlers. So the right to read and the limits on listening
// are checked here, on every transport.

import type { Principal } from "../domain/call/principal.ts";
import { JSON_RPC } from "../domain/call/rpc-error.ts";
import { ERRORS, type KnowledgeError, toKnowledgeError } from "../domain/errors.ts";
import type { Mcp, SubscriptionList } from "../mcp/mcp.ts";
import { refuse, type WireError } from "./message.ts";

export type Listening = ReturnType<typeof openListening>;

export interface ListenRefusal {
  readonly response: WireError;
  /** The HTTP status of the refusal. */
  readonly status: 400 | 403 | 503;
}

/** Maximum number of streams of one connection; the SDK has the same limit. */
export const MAX_LISTENS = 64;

type RequestId = string | number | null;

interface Asked {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: {
    readonly requestId?: unknown;
    readonly notifications?: { readonly resourceSubscriptions?: unknown };
  };
}

const LISTEN = "subscriptions/listen";

export const isListen = (message: unknown) => (message as Asked | null)?.method === LISTEN;

export function openListening({ subscriptions }: Pick<Mcp, "subscriptions">, principal: Principal) {
  const lists = new Map<unknown, SubscriptionList>();
  const end = (id: unknown) => {
    lists.get(id)?.close();
    lists.delete(id);
  };
  return {
    /** Returns the error response if the message asks to listen and must not, otherwise undefined. */
    check(message: unknown): ListenRefusal | undefined {
      const { id = null, method, params } = message as Asked;
      if (method === "notifications/cancelled") end(params?.requestId);
      if (method !== LISTEN) return undefined;
      end(id);
      if (lists.size >= MAX_LISTENS) return tooManyStreams(id);
      const list = subscriptions.open(principal);
      lists.set(id, list);
      try {
        list.add(urisOf(params?.notifications?.resourceSubscriptions));
        return undefined;
      } catch (thrown) {
        end(id);
        return toRefusal(toKnowledgeError(thrown), id);
      }
    },
    close() {
      for (const id of [...lists.keys()]) end(id);
    },
  };
}

export function tooManyStreams(id: RequestId): ListenRefusal {
  const reason = "Too many open streams. Close some first.";
  return { status: 503, response: refuse(JSON_RPC.refused, reason, id).error };
}

function toRefusal({ code, message }: KnowledgeError, id: RequestId): ListenRefusal {
  const { kind } = ERRORS[code];
  if (kind === "invalid") {
    return { status: 400, response: refuse(JSON_RPC.invalidParams, message, id).error };
  }
  const response = refuse(JSON_RPC.refused, message, id).error;
  return { status: kind === "denied" ? 403 : 503, response };
}

/** Anything but a list of strings is left to the SDK, which refuses it. */
function urisOf(given: unknown): readonly string[] {
  return Array.isArray(given) ? given.filter((uri) => typeof uri === "string") : [];
}

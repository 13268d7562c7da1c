// Who is notified of changes to which resources, and of how many: for `resources/subscribe`, and for
// `subscriptions/listen`, which the SDK serves itself.

import type { Principal } from "../domain/call/principal.ts";
import { openQuota } from "../domain/call/quota.ts";
import { KnowledgeError } from "../domain/errors.ts";
import type { Toolbox } from "../tools/family.ts";

export interface Subscriptions {
  /** What one connection, or one request that listens, is subscribed to; nothing once it is closed. */
  open(principal: Principal): SubscriptionList;
}

export interface SubscriptionList {
  /** Throws if the caller may not read or has used up its share. */
  add(uris: readonly string[]): void;
  remove(uri: string): void;
  has(uri: string): boolean;
  close(): void;
}

const MAX_URI_LENGTH = 2_048;
const MAX_ON_ONE_CONNECTION = 1_000;
// In characters, plus a fixed overhead per URI: the limit is on memory.
const EACH_COSTS = 100;
const LIMITS = { total: 32_000_000, perCaller: 4_000_000 };

export function openSubscriptions({ refusal }: Pick<Toolbox, "refusal">): Subscriptions {
  const quota = openQuota(LIMITS);
  return {
    open(principal) {
      const uris = new Set<string>();
      const costOf = (uri: string) => uri.length + EACH_COSTS;
      const remove = (uri: string) => {
        if (uris.delete(uri)) quota.give(principal.name, costOf(uri));
      };
      const addOne = (uri: string) => {
        if (uri.length > MAX_URI_LENGTH) throw tooLong();
        if (uris.has(uri)) return;
        const isFull = uris.size >= MAX_ON_ONE_CONNECTION;
        if (isFull || !quota.take(principal.name, costOf(uri))) throw tooMany();
        uris.add(uri);
      };
      return {
        add(asked) {
          const denied = refusal(principal, "read");
          if (denied) throw denied;
          for (const uri of asked) addOne(uri);
        },
        remove,
        has: (uri) => uris.has(uri),
        close() {
          for (const uri of uris) remove(uri);
        },
      };
    },
  };
}

function tooLong(): KnowledgeError {
  const message = `A URI can have at most ${MAX_URI_LENGTH} characters. List the resources to see theirs.`;
  return new KnowledgeError("INVALID_PARAMETER", message);
}

function tooMany(): KnowledgeError {
  return new KnowledgeError("OVERLOADED", "Too many subscriptions. Cancel some first.", {
    details: { retry_after_seconds: 60 },
  });
}

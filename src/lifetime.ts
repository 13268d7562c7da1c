// Everything that a process opened, closed in reverse however it ends. Nothing is opened once the end has begun.
import { KnowledgeError } from "./domain/errors.ts";
import type { Log } from "./observe/log.ts";
import { settlesWithin } from "./observe/silence.ts";

export interface Lifetime {
  /** Aborted when the end begins. */
  readonly ending: AbortSignal;
  /** Opens a thing that is closed with the rest. Rejects with CANCELLED once the end has begun. */
  open<Thing extends object>(name: string, open: () => Promise<Thing>): Promise<Thing>;
  /** For what is open already. */
  keep(name: string, close: () => unknown): void;
  /**
   * Waits for what is being opened, then closes all. Never rejects. False: something could not be ended (in time),
   * so the process may not end by itself either.
   */
  close(): Promise<boolean>;
}

interface Closable {
  close?(): unknown;
}

// A room whose turn comes late still closes its files in order.
const LEAST_CLOSE_MS = 1_000;
// Longer than any timer is waited for: whoever has a deadline of its own gives it.
const NO_DEADLINE_MS = 2 ** 31 - 1;

export function openLifetime(log: Log, closeMs = NO_DEADLINE_MS): Lifetime {
  const ending = new AbortController();
  const opening = new Set<Promise<unknown>>();
  // In the order in which they became ready: a thing is after those that it needed.
  const kept: { readonly name: string; readonly close: () => unknown }[] = [];
  return {
    ending: ending.signal,
    open(name, open) {
      if (ending.signal.aborted) return Promise.reject(stopping());
      const attempt = open();
      const settled = attempt.then(
        (thing: Closable) => void kept.push({ name, close: () => thing.close?.() }),
        () => {},
      );
      opening.add(settled);
      settled.finally(() => opening.delete(settled));
      return attempt;
    },
    keep: (name, close) => void kept.push({ name, close }),
    async close() {
      ending.abort();
      const until = performance.now() + closeMs;
      const leftMs = () => Math.max(until - performance.now(), LEAST_CLOSE_MS);
      const open: string[] = [];
      if (!(await settlesWithin(Promise.all(opening), leftMs()))) open.push("opening");
      for (const { name, close } of kept.splice(0).toReversed()) {
        const closing = (async () => close())().then(
          (isClosed) => isClosed !== false || open.push(name),
          (error: unknown) => {
            log.error("app.close-failed", { room: name, error });
            if (error instanceof KnowledgeError && error.details["isStuck"]) open.push(name);
          },
        );
        if (!(await settlesWithin(closing, leftMs()))) open.push(name);
      }
      if (open.length > 0) log.error("app.close-late", { rooms: open });
      return open.length === 0;
    },
  };
}

function stopping(): KnowledgeError {
  return new KnowledgeError("CANCELLED", "The server is stopping; try again when it is back.");
}

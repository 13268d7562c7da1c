// Everything that a process opened, closed in reverse however it ends. Nothing is opened once the end has begun.
import { KnowledgeError } from "./domain/errors.ts";
import type { Log } from "./observe/log.ts";

export interface Lifetime {
  /** Aborted when the end begins. */
  readonly ending: AbortSignal;
  /** Opens a thing that is closed with the rest. Rejects with CANCELLED once the end has begun. */
  open<Thing extends object>(name: string, open: () => Promise<Thing>): Promise<Thing>;
  /** For what is open already. */
  keep(name: string, close: () => unknown): void;
  /** Waits for what is being opened, then closes all. Never rejects. */
  close(): Promise<void>;
}

interface Closable {
  close?(): unknown;
}

export function openLifetime(log: Log): Lifetime {
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
      await Promise.all(opening);
      for (const { name, close } of kept.splice(0).toReversed()) {
        try {
          await close();
        } catch (error) {
          log.error("app.close-failed", { room: name, error });
        }
      }
    },
  };
}

function stopping(): KnowledgeError {
  return new KnowledgeError("CANCELLED", "The server is stopping; try again when it is back.");
}

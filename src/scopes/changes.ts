// Who wants to know of changes, and the look at the store that finds another process's.
import type { ScopeStore } from "../store/store.ts";

export interface Changes {
  /** Notifies the listeners when the store's version has moved since the last check. */
  look(): Promise<void>;
  listen(listener: () => void): () => void;
  close(): void;
}

export function openChanges(store: ScopeStore, pollMs: number): Changes {
  const listeners = new Set<() => void>();
  let seen: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  const look = async () => {
    if (listeners.size === 0) return;
    const version = await store.version();
    if (version === seen) return;
    const first = seen === undefined;
    seen = version;
    if (!first) for (const listener of listeners) listener();
  };
  const quietly = () => {
    look().catch(() => {
      // A store that is unavailable is reported by the calls that need it; the next check tries again.
    });
  };
  const close = () => {
    clearInterval(timer);
    timer = undefined;
    listeners.clear();
  };
  return {
    look,
    close,
    listen: (listener) => {
      listeners.add(listener);
      if (timer === undefined) {
        quietly();
        timer = setInterval(quietly, pollMs).unref();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) close();
      };
    },
  };
}

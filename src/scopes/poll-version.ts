// Polls the version of the rules while there are listeners, so that they also learn of another process's changes.
import type { ScopeStore } from "../store/store.ts";

export interface VersionPoll {
  /** Notifies the listeners if the store's version has changed since the last check. */
  check(): Promise<void>;
  listen(listener: () => void): () => void;
  close(): void;
}

export function pollVersion(store: ScopeStore, pollMs: number): VersionPoll {
  const listeners = new Set<() => void>();
  let seen: number | undefined;
  let timer: NodeJS.Timeout | undefined;

  const check = async () => {
    if (listeners.size === 0) return;
    const version = await store.version();
    if (version === seen) return;
    const first = seen === undefined;
    seen = version;
    if (!first) for (const listener of listeners) listener();
  };
  const quietly = () => {
    check().catch(() => {
      // Calls that need the store report that it is unavailable; the next check tries again.
    });
  };
  const close = () => {
    clearInterval(timer);
    timer = undefined;
    listeners.clear();
  };
  return {
    check,
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

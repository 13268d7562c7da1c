// Connects the rooms that change something with the connections that notify their clients of it.
import type { Change } from "./tools/family.ts";

export function openChangeListeners() {
  const listeners = new Set<(change: Change) => void>();
  return {
    notify(change: Change) {
      for (const listener of listeners) listener(change);
    },
    listen(listener: (change: Change) => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

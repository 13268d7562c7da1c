// Values that outlive the pages that show them.
import { useLayoutEffect, useState } from "preact/hooks";

export interface Store<Value> {
  readonly get: () => Value;
  readonly set: (next: Value) => void;
  /** Call the result to stop. */
  readonly subscribe: (listener: () => void) => () => void;
}

export function openStore<Value>(first: Value): Store<Value> {
  const state = { value: first };
  const listeners = new Set<() => void>();
  return {
    get: () => state.value,
    set(next) {
      state.value = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Subscribes before anything else can change it. */
export function useStore<Value>({ get, subscribe }: Store<Value>): Value {
  const [value, setValue] = useState(get);
  useLayoutEffect(() => subscribe(() => setValue(get)), [get, subscribe]);
  return value;
}

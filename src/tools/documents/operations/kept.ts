// Caches results that are costly to compute: computed once for all who wait, and the most recent ones are kept.

export interface KeptOptions<T> {
  readonly mostBytes: number;
  readonly sizeOf: (value: T) => number;
}

export interface Kept<T> {
  /** `make` is aborted once nobody waits for it. */
  get(key: string, make: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
}

interface Making<T> {
  readonly result: Promise<T>;
  readonly stop: () => void;
  waiting: number;
}

interface KeptState<T> extends KeptOptions<T> {
  /** The least recently used one is first. */
  readonly values: Map<string, T>;
  readonly making: Map<string, Making<T>>;
  bytes: number;
}

export function openKept<T>(options: KeptOptions<T>): Kept<T> {
  const state: KeptState<T> = { ...options, values: new Map(), making: new Map(), bytes: 0 };
  return {
    async get(key, make, signal) {
      const known = state.values.get(key);
      if (known === undefined)
        return join(state.making.get(key) ?? start(state, key, make), signal);
      state.values.delete(key);
      state.values.set(key, known);
      return known;
    },
  };
}

function start<T>(
  state: KeptState<T>,
  key: string,
  make: (signal: AbortSignal) => Promise<T>,
): Making<T> {
  const abort = new AbortController();
  const forget = () => {
    if (state.making.get(key) === making) state.making.delete(key);
  };
  const result = make(abort.signal)
    .then((value) => {
      keep(state, key, value);
      return value;
    })
    .finally(forget);
  const stop = () => {
    // The next caller makes it again.
    forget();
    abort.abort();
  };
  const making: Making<T> = { result, stop, waiting: 0 };
  state.making.set(key, making);
  return making;
}

async function join<T>(making: Making<T>, signal: AbortSignal): Promise<T> {
  making.waiting += 1;
  const leave = () => {
    making.waiting -= 1;
    if (making.waiting === 0) making.stop();
  };
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  try {
    return await making.result;
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

function keep<T>(state: KeptState<T>, key: string, value: T): void {
  state.values.set(key, value);
  state.bytes += state.sizeOf(value);
  for (const [oldest, old] of state.values) {
    if (state.bytes <= state.mostBytes || state.values.size === 1) return;
    state.values.delete(oldest);
    state.bytes -= state.sizeOf(old);
  }
}

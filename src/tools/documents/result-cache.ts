// Caches results that are costly to compute: computed once for all who wait, and the most recent ones are kept.

export interface ResultCacheOptions<T> {
  readonly mostBytes: number;
  readonly sizeOf: (value: T) => number;
}

export interface ResultCache<T> {
  /** `make` is aborted once nobody waits for it. */
  get(key: string, make: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T>;
}

interface PendingResult<T> {
  readonly result: Promise<T>;
  readonly stop: () => void;
  waiting: number;
}

interface CacheState<T> extends ResultCacheOptions<T> {
  /** The least recently used one is first. */
  readonly values: Map<string, T>;
  readonly pending: Map<string, PendingResult<T>>;
  bytes: number;
}

export function openResultCache<T>(options: ResultCacheOptions<T>): ResultCache<T> {
  const state: CacheState<T> = { ...options, values: new Map(), pending: new Map(), bytes: 0 };
  return {
    async get(key, make, signal) {
      const known = state.values.get(key);
      if (known === undefined)
        return join(state.pending.get(key) ?? start(state, key, make), signal);
      state.values.delete(key);
      state.values.set(key, known);
      return known;
    },
  };
}

function start<T>(
  state: CacheState<T>,
  key: string,
  make: (signal: AbortSignal) => Promise<T>,
): PendingResult<T> {
  const abort = new AbortController();
  const forget = () => {
    if (state.pending.get(key) === pending) state.pending.delete(key);
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
  const pending: PendingResult<T> = { result, stop, waiting: 0 };
  state.pending.set(key, pending);
  return pending;
}

/** A caller that gives up leaves at once; the others go on waiting. */
async function join<T>(pending: PendingResult<T>, signal: AbortSignal): Promise<T> {
  pending.waiting += 1;
  const gone = Promise.withResolvers<never>();
  const leave = () => {
    pending.waiting -= 1;
    if (pending.waiting === 0) pending.stop();
    gone.reject(signal.reason);
  };
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  try {
    return await Promise.race([pending.result, gone.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

function keep<T>(state: CacheState<T>, key: string, value: T): void {
  state.values.set(key, value);
  state.bytes += state.sizeOf(value);
  for (const [oldest, old] of state.values) {
    if (state.bytes <= state.mostBytes || state.values.size === 1) return;
    state.values.delete(oldest);
    state.bytes -= state.sizeOf(old);
  }
}

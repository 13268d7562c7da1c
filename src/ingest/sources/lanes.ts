// Limits how many files of folders this process reads at once, over all folders.
export interface Lanes {
  /** Stops at the first rejection, and rejects with it once the remaining calls have ended. */
  each<T>(
    items: Iterable<T> | AsyncIterable<T>,
    signal: AbortSignal,
    work: (item: T) => Promise<void>,
  ): Promise<void>;
}

export function limitConcurrency(count: number): Lanes {
  const state = { free: count };
  const line: (() => void)[] = [];
  const enter = async () => {
    while (state.free === 0) await new Promise<void>((resolve) => line.push(resolve));
    state.free -= 1;
  };
  const leave = () => {
    state.free += 1;
    line.shift()?.();
  };
  return {
    async each(items, signal, work) {
      const rest = drawn(items);
      const broken: { by?: unknown } = {};
      const run = async () => {
        try {
          for await (const item of rest) {
            await enter();
            try {
              if ("by" in broken || signal.aborted) return;
              await work(item);
            } finally {
              leave();
            }
          }
        } catch (thrown) {
          broken.by ??= thrown;
        }
      };
      await Promise.all(Array.from({ length: count }, run));
      if ("by" in broken) throw broken.by;
    },
  };
}

/** One iterator that several loops draw from; a loop that stops early leaves the rest to the others. */
async function* drawn<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  yield* items;
}

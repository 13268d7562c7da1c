// Limits how many files of folders this process reads at once, over all folders.
export interface Lanes {
  /** Stops at the first rejection, and rejects with it once the remaining calls have ended. */
  each<T>(
    items: readonly T[],
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
      const rest = items.values();
      const broken: { by?: unknown } = {};
      const run = async () => {
        for (const item of rest) {
          await enter();
          try {
            if ("by" in broken || signal.aborted) return;
            await work(item);
          } catch (thrown) {
            broken.by ??= thrown;
          } finally {
            leave();
          }
        }
      };
      await Promise.all(Array.from({ length: count }, run));
      if ("by" in broken) throw broken.by;
    },
  };
}

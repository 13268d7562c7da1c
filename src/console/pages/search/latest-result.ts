// Searches that overtake each other. The newest starts at once while an older one may still be running, so that people
// who type faster than the server searches see something. A result older than the shown one is dropped.

export interface LatestResult<T> {
  /** `ask` resolves with undefined if there is nothing to show. */
  run(ask: (signal: AbortSignal) => Promise<T | undefined>): void;
  /** Shows the value now and drops pending searches. */
  settle(value: T): void;
  /** Drops pending searches and shows nothing more. */
  end(): void;
}

const MOST = 2;

export function openLatestResult<T>(onValue: (value: T) => void): LatestResult<T> {
  let running: readonly AbortController[] = [];
  const drop = (dropped: readonly AbortController[]) => {
    running = running.filter((each) => !dropped.includes(each));
    for (const each of dropped) each.abort();
  };
  return {
    run(ask) {
      const own = new AbortController();
      drop(running.slice(0, Math.max(0, running.length - MOST + 1)));
      running = [...running, own];
      void ask(own.signal).then((value) => {
        if (!running.includes(own)) return;
        drop(running.slice(0, running.indexOf(own)));
        running = running.filter((each) => each !== own);
        if (value !== undefined) onValue(value);
      });
    },
    settle(value) {
      drop(running);
      onValue(value);
    },
    end: () => drop(running),
  };
}

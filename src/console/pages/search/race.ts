// Questions that overtake each other. The newest is asked at once; one older may still be on its way, so that something
// is shown to who types faster than the server searches. What comes later than a newer result is not shown.

export interface Race<T> {
  /** `ask` gives undefined where there is nothing to show. */
  run(ask: (signal: AbortSignal) => Promise<T | undefined>): void;
  /** Shown now; what is on its way is given up. */
  settle(value: T): void;
  /** Nothing is shown any more. */
  end(): void;
}

const MOST = 2;

export function openRace<T>(onValue: (value: T) => void): Race<T> {
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

// Data that stays fresh: loaded now, again every so often while the tab is seen, and on demand.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { TokenNeeded } from "./mcp.ts";

export interface Live<T> {
  readonly data: T | undefined;
  readonly error: string | undefined;
  readonly refresh: () => void;
}

export function useLive<T>(
  load: (signal: AbortSignal) => Promise<T>,
  everyMs: number,
  inputs: readonly unknown[] = [],
): Live<T> {
  const [data, setData] = useState<T>();
  const [error, setError] = useState<string>();
  const [round, setRound] = useState(0);
  const loadNow = useRef(load);
  loadNow.current = load;

  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const turn = async () => {
      const failure = await attempt(async () => {
        if (document.hidden) return;
        setData(await loadNow.current(abort.signal));
        setError(undefined);
      });
      if (abort.signal.aborted) return;
      if (failure !== undefined) setError(failure);
      if (everyMs > 0) timer = setTimeout(turn, everyMs);
    };
    void turn();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [everyMs, round, ...inputs]);

  const refresh = useCallback(() => setRound((value) => value + 1), []);
  return { data, error, refresh };
}

/** What went wrong, in words. */
async function attempt(work: () => Promise<void>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof TokenNeeded) dispatchEvent(new Event("token-needed"));
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

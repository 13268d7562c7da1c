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
      try {
        if (!document.hidden) {
          setData(await loadNow.current(abort.signal));
          setError(undefined);
        }
      } catch (thrown) {
        if (abort.signal.aborted) return;
        if (thrown instanceof TokenNeeded) dispatchEvent(new Event("token-needed"));
        setError(thrown instanceof Error ? thrown.message : String(thrown));
      }
      if (everyMs > 0 && !abort.signal.aborted) timer = setTimeout(turn, everyMs);
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

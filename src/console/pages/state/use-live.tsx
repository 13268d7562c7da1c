// Live data: loaded now, again at intervals while the tab is visible, and on demand.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { Failed } from "../parts/parts.tsx";
import { explain } from "./language.ts";
import { api } from "./mcp.ts";

interface Loaded<T> {
  readonly data: T | undefined;
  /** Why the last load failed. */
  readonly failure?: { readonly thrown: unknown };
}

export function useLive<T>(
  load: (signal: AbortSignal) => Promise<T>,
  everyMs: number,
  inputs: readonly unknown[] = [],
) {
  const [{ data, failure }, setLoaded] = useState<Loaded<T>>({ data: undefined });
  const [round, setRound] = useState(0);
  const loadNow = useRef(load);
  loadNow.current = load;

  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const turn = async () => {
      // What is loaded only once is also loaded in a tab that was opened in the background.
      if (!document.hidden || everyMs === 0) {
        const next = await attempt(() => loadNow.current(abort.signal));
        if (abort.signal.aborted) return;
        setLoaded(next);
      }
      if (everyMs > 0) timer = setTimeout(turn, everyMs);
    };
    void turn();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [everyMs, round, ...inputs]);

  const refresh = useCallback(() => setRound((value) => value + 1), []);
  return {
    data,
    error: failure && explain(failure.thrown),
    /** Why the last load failed, with a button to try again. */
    failed: failure && <Failed thrown={failure.thrown} onRetry={refresh} />,
    refresh,
  };
}

/** The same for one of the console's own addresses; 0: loaded once. */
export function useApi<T>(path: string, everyMs = 0) {
  return useLive((signal) => api<T>(path, { signal }), everyMs, [path]);
}

/** The last data stays if it cannot be loaded again. */
async function attempt<T>(load: () => Promise<T>): Promise<(before: Loaded<T>) => Loaded<T>> {
  try {
    const data = await load();
    return () => ({ data });
  } catch (thrown) {
    return ({ data }) => ({ data, failure: { thrown } });
  }
}

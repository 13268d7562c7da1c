// Live data: loaded now, again at intervals while the tab is visible, and on demand.
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { useI18n } from "./language.ts";
import { TokenNeeded } from "./mcp.ts";

export interface Live<T> {
  readonly data: T | undefined;
  /** Why the last load failed, in the reader's language. */
  readonly error: string | undefined;
  readonly refresh: () => void;
}

export function useLive<T>(
  load: (signal: AbortSignal) => Promise<T>,
  everyMs: number,
  inputs: readonly unknown[] = [],
): Live<T> {
  const [data, setData] = useState<T>();
  const { explain } = useI18n();
  const [failure, setFailure] = useState<Failed>();
  const [round, setRound] = useState(0);
  const loadNow = useRef(load);
  loadNow.current = load;

  useEffect(() => {
    const abort = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const turn = async () => {
      const failed = await attempt(async () => {
        if (document.hidden) return;
        setData(await loadNow.current(abort.signal));
        setFailure(undefined);
      });
      if (abort.signal.aborted) return;
      if (failed !== undefined) setFailure(failed);
      if (everyMs > 0) timer = setTimeout(turn, everyMs);
    };
    void turn();
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [everyMs, round, ...inputs]);

  const refresh = useCallback(() => setRound((value) => value + 1), []);
  const error = failure === undefined ? undefined : explain(failure.thrown);
  return { data, error, refresh };
}

interface Failed {
  readonly thrown: unknown;
}

async function attempt(work: () => Promise<void>): Promise<Failed | undefined> {
  try {
    await work();
    return undefined;
  } catch (thrown) {
    if (thrown instanceof TokenNeeded) dispatchEvent(new Event("token-needed"));
    return { thrown };
  }
}

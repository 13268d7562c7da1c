import { useRef, useState } from "preact/hooks";
import type { KbAnswer } from "../../../../tools/answers/contract.ts";
import { call, TokenNeeded } from "../../state/mcp.ts";
import { isFiltered, type SearchQuery, toFilters } from "../search-query.ts";

export type Answering =
  | { readonly state: "asking" }
  | { readonly state: "failed"; readonly thrown: unknown }
  | { readonly state: "given"; readonly answer: KbAnswer };

export interface Asking {
  readonly answer: Answering | undefined;
  readonly ask: (searchQuery: SearchQuery) => Promise<void>;
  /** Drops the current question because another one is being typed. */
  readonly forget: () => void;
}

function toQuestion(searchQuery: SearchQuery) {
  return {
    query: searchQuery.text.trim(),
    ...(isFiltered(searchQuery) && { filters: toFilters(searchQuery) }),
  };
}

export function useAnswer(): Asking {
  const [answer, setAnswer] = useState<Answering>();
  const running = useRef<AbortController>(undefined);
  const forget = () => {
    running.current?.abort();
    setAnswer(undefined);
  };
  const ask = async (searchQuery: SearchQuery) => {
    forget();
    const abort = new AbortController();
    running.current = abort;
    setAnswer({ state: "asking" });
    try {
      const given = await call("kb_answer", toQuestion(searchQuery), abort.signal);
      setAnswer({ state: "given", answer: given });
    } catch (thrown) {
      if (abort.signal.aborted) return;
      if (thrown instanceof TokenNeeded) dispatchEvent(new Event("token-needed"));
      setAnswer({ state: "failed", thrown });
    }
  };
  return { answer, ask, forget };
}

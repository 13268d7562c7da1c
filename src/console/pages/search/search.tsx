import { useEffect, useState } from "preact/hooks";
import { useSpeech } from "../state/language.ts";
import { isOffered, useOffered } from "../state/offered.ts";
import type { Route } from "../state/route.ts";
import { AnswerCard } from "./answer/answer-card.tsx";
import { useAnswer } from "./answer/use-answer.ts";
import { type Asked, fromRoute, withoutFilters } from "./asked.ts";
import { moveByKey } from "./move-by-key.ts";
import { FoundView } from "./results/found-view.tsx";
import { SearchBar } from "./search-bar.tsx";
import { SearchFilters } from "./search-filters.tsx";
import { rememberQuery } from "./start/recent.ts";
import { Start } from "./start/start.tsx";
import { keepInAddress, useFound } from "./use-found.ts";

export function SearchPage({ route }: { route: Route }) {
  const { say } = useSpeech();
  const { asked, answer, asks, change, submit, setComposing, found } = useAsked(route);
  const keep = (event: Event) => {
    const opened = event.target instanceof Element && event.target.closest("[data-hit]");
    if (!opened) return;
    rememberQuery(asked.text);
    // Runs before the link is followed, so that the back button returns to this search.
    keepInAddress(asked);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and clicks of the links inside bubble up to here
    <div class="search-page" onKeyDown={moveByKey} onClick={keep}>
      <h1>{say("search")}</h1>
      <SearchBar
        text={asked.text}
        asks={asks}
        onText={(text) => change({ text })}
        onComposing={setComposing}
        onSubmit={() => submit(asked.text)}
      />
      <SearchFilters asked={asked} onChange={change} />
      {answer && <AnswerCard answer={answer} query={asked.text} />}
      {found.state === "idle" ? (
        <Start onPick={submit} />
      ) : (
        <FoundView
          found={found}
          asked={asked}
          onPick={submit}
          onUnfilter={() => change(withoutFilters(asked))}
        />
      )}
    </div>
  );
}

/** The query, its results and answer, and the handlers that change it. */
function useAsked(route: Route) {
  const [asked, setAsked] = useState<Asked>(() => fromRoute(route));
  const [composing, setComposing] = useState(false);
  const found = useFound(asked, composing);
  const { answer, ask, forget } = useAnswer();
  const asks = isOffered(useOffered(), "kb_answer");
  // Runs when another address is opened; what this page writes into the address makes no new route.
  useEffect(() => setAsked(fromRoute(route)), [route]);
  const change = (next: Partial<Asked>) => {
    forget();
    setAsked({ ...asked, ...next });
  };
  const submit = (text: string) => {
    if (!text.trim()) return;
    rememberQuery(text);
    setAsked({ ...asked, text });
    if (asks) void ask({ ...asked, text });
  };
  return { asked, answer, asks, change, submit, setComposing, found };
}

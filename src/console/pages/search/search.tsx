import { useLayoutEffect, useState } from "preact/hooks";
import { useI18n } from "../state/language.ts";
import { isOffered, useOffered } from "../state/offered-tools.ts";
import type { Route } from "../state/route.ts";
import { AnswerCard } from "./answer/answer-card.tsx";
import { useAnswer } from "./answer/use-answer.ts";
import { moveByKey } from "./move-by-key.ts";
import { FoundView } from "./results/found-view.tsx";
import { SearchBar } from "./search-bar.tsx";
import { SearchFilters } from "./search-filters.tsx";
import { fromRoute, type SearchQuery, withoutFilters } from "./search-query.ts";
import { rememberQuery } from "./start/recent.ts";
import { Start } from "./start/start.tsx";
import { keepInAddress, useFound } from "./use-found.ts";

export function SearchPage({ route }: { route: Route }) {
  const { t } = useI18n();
  const { searchQuery, answer, asks, change, submit, setComposing, found } = useSearchPage(route);
  const keep = (event: Event) => {
    const opened = event.target instanceof Element && event.target.closest("[data-hit]");
    if (!opened) return;
    rememberQuery(searchQuery.text);
    // Runs before the link is followed, so that the back button returns to this search.
    keepInAddress(searchQuery);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and clicks of the links inside bubble up to here
    <div class="search-page" onKeyDown={moveByKey} onClick={keep}>
      <h1>{t("search")}</h1>
      <SearchBar
        text={searchQuery.text}
        asks={asks}
        onText={(text) => change({ text })}
        onComposing={setComposing}
        onSubmit={() => submit(searchQuery.text)}
      />
      <SearchFilters searchQuery={searchQuery} onChange={change} />
      {answer && <AnswerCard answer={answer} query={searchQuery.text} />}
      {found.state === "idle" ? (
        <Start onPick={submit} />
      ) : (
        <FoundView
          found={found}
          searchQuery={searchQuery}
          onPick={submit}
          onUnfilter={() => change(withoutFilters(searchQuery))}
        />
      )}
    </div>
  );
}

/** The query, its results and answer, and the handlers that change it. */
function useSearchPage(route: Route) {
  const [searchQuery, setSearchQuery] = useState<SearchQuery>(() => fromRoute(route));
  const [composing, setComposing] = useState(false);
  const found = useFound(searchQuery, composing);
  const { answer, ask, forget } = useAnswer();
  const asks = isOffered(useOffered(), "kb_answer");
  // Runs when another address is opened; what this page writes into the address makes no new route. Before anybody can
  // type: a later run would erase the first letters.
  useLayoutEffect(() => setSearchQuery(fromRoute(route)), [route]);
  const change = (next: Partial<SearchQuery>) => {
    forget();
    setSearchQuery({ ...searchQuery, ...next });
  };
  const submit = (text: string) => {
    if (!text.trim()) return;
    rememberQuery(text);
    setSearchQuery({ ...searchQuery, text });
    if (asks) void ask({ ...searchQuery, text });
  };
  return { searchQuery, answer, asks, change, submit, setComposing, found };
}

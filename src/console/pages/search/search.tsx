import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../parts/parts.tsx";
import { rememberQuery } from "../state/kept.ts";
import { t } from "../state/language.ts";
import { useOffers } from "../state/offered-tools.ts";
import { navigate, type Route } from "../state/route.ts";
import { AnswerCard, AskedAs, useAnswer } from "./answer.tsx";
import { SearchFilters } from "./filters.tsx";
import { followUp } from "./follow-up.ts";
import { FoundView } from "./results.tsx";
import { moveByKey, PALETTE_KEY, SEARCH_BOX } from "./search-keys.ts";
import {
  fromRoute,
  questionOf,
  type SearchQuery,
  toAddress,
  withoutFilters,
} from "./search-query.ts";
import { Start } from "./start.tsx";
import { keepInAddress, useFound } from "./use-found.ts";

export function SearchPage({ route }: { route: Route }) {
  const page = useSearchPage(route);
  const { searchQuery, answer, asks, change, submit, found } = page;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys and clicks of the links inside bubble up to here
    <div class="search-page" onKeyDown={moveByKey} onClick={(event) => keep(event, searchQuery)}>
      <h1>{t("Search")}</h1>
      <SearchBar
        text={searchQuery.text}
        asks={asks}
        onText={(text) => change({ text })}
        onComposing={page.setComposing}
        onSubmit={() => submit(searchQuery.text)}
      />
      <SearchFilters searchQuery={searchQuery} found={found} onChange={change} />
      {answer && <AskedAs searchQuery={searchQuery} />}
      {answer && (
        <AnswerCard
          answer={answer}
          query={questionOf(searchQuery)}
          onRetry={() => submit(searchQuery.text)}
        />
      )}
      {found.state === "idle" ? (
        <Start onPick={submit} />
      ) : (
        <FoundView
          found={found}
          searchQuery={searchQuery}
          onUnfilter={() => change(withoutFilters(searchQuery))}
          onRetry={page.searchAgain}
        />
      )}
    </div>
  );
}

/** Runs before a link is followed, so that the back button returns to this search. */
function keep({ target }: Event, searchQuery: SearchQuery): void {
  if (!(target instanceof Element && target.closest("[data-hit]"))) return;
  rememberQuery(searchQuery.text);
  keepInAddress(searchQuery);
}

/** The query, its results and answer, and the handlers that change it. The address decides what is asked. */
function useSearchPage(route: Route) {
  const [searchQuery, setSearchQuery] = useState<SearchQuery>(() => fromRoute(route));
  const [composing, setComposing] = useState(false);
  const [round, setRound] = useState(0);
  const found = useFound(searchQuery, composing, round);
  const { answer, ask, forget } = useAnswer();
  const asks = useOffers("kb_answer");
  const lastAsked = useRef("");
  const askNow = (wanted: SearchQuery) => {
    lastAsked.current = questionOf(wanted);
    void ask(wanted);
  };
  // Runs when another address is opened; what this page writes into the address makes no new route. Before anybody can
  // type: a later run would erase the first letters.
  useLayoutEffect(() => {
    const wanted = fromRoute(route);
    setSearchQuery(wanted);
    if (wanted.ask && wanted.text.trim() && asks) askNow(wanted);
    else forget();
  }, [route]);
  const change = (next: Partial<SearchQuery>) => {
    forget();
    // The answer keeps its own place in the history.
    if (searchQuery.ask) history.pushState(null, "", location.href);
    setSearchQuery({ ...searchQuery, ...next, ask: "", about: "" });
  };
  const submit = (text: string) => {
    if (!text.trim()) return;
    rememberQuery(text);
    const before = lastAsked.current;
    const about = followUp(before, text) === undefined ? "" : before;
    const wanted = { ...searchQuery, text, ask: asks ? "1" : "", about };
    navigate(toAddress(wanted));
  };
  const searchAgain = () => setRound(round + 1);
  return { searchQuery, answer, asks, change, submit, setComposing, found, searchAgain };
}

interface SearchBarProps {
  readonly text: string;
  /** Whether this server also answers questions. */
  readonly asks: boolean;
  readonly onText: (text: string) => void;
  readonly onComposing: (composing: boolean) => void;
  readonly onSubmit: () => void;
}

function SearchBar({ text, asks, onText, onComposing, onSubmit }: SearchBarProps) {
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => box.current?.focus({ preventScroll: true }), []);
  const submit = (event: Event) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <search>
      <form class="searchbar" onSubmit={submit}>
        <Icon name="search" />
        <input
          ref={box}
          id={SEARCH_BOX}
          type="search"
          aria-label={t("Search or ask")}
          aria-describedby="search-keys"
          placeholder={t("Type a question or a few words")}
          autocomplete="off"
          enterkeyhint="search"
          maxLength={500}
          value={text}
          onInput={(event) => onText(event.currentTarget.value)}
          onCompositionStart={() => onComposing(true)}
          onCompositionEnd={() => onComposing(false)}
        />
        {asks && (
          <button type="submit">
            <Icon name="spark" />
            {t("Ask")}
          </button>
        )}
      </form>
      <Keys asks={asks} />
    </search>
  );
}

function Keys({ asks }: Pick<SearchBarProps, "asks">) {
  return (
    <p id="search-keys" class="row keys muted small">
      <span>
        <kbd>/</kbd> <kbd>{PALETTE_KEY}</kbd> {t("from any page")}
      </span>
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> {t("choose")}
      </span>
      {asks && (
        <span>
          <kbd>↵</kbd> {t("ask")}
        </span>
      )}
      <span>
        <kbd>Esc</kbd> {t("clear")}
      </span>
    </p>
  );
}

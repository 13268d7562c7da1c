import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { FORMATS } from "../../../domain/document.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { useI18n } from "../state/language.ts";
import { isOffered, useOffered } from "../state/offered-tools.ts";
import type { Route } from "../state/route.ts";
import { AnswerCard, useAnswer } from "./answer.tsx";
import { rememberQuery } from "./recent.ts";
import { FoundView } from "./results.tsx";
import { moveByKey, SEARCH_BOX } from "./search-keys.ts";
import {
  type FilterName,
  fromRoute,
  isFiltered,
  type SearchQuery,
  withoutFilters,
} from "./search-query.ts";
import { Start } from "./start.tsx";
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
  useLayoutEffect(() => {
    forget();
    setSearchQuery(fromRoute(route));
  }, [route]);
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

interface SearchBarProps {
  readonly text: string;
  /** Whether this server also answers questions. */
  readonly asks: boolean;
  readonly onText: (text: string) => void;
  readonly onComposing: (composing: boolean) => void;
  readonly onSubmit: () => void;
}

function SearchBar({ text, asks, onText, onComposing, onSubmit }: SearchBarProps) {
  const { t } = useI18n();
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
          aria-label={t("askOrSearch")}
          aria-describedby="search-keys"
          placeholder={t("searchPlaceholder")}
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
            {t("ask")}
          </button>
        )}
      </form>
      <Keys asks={asks} />
    </search>
  );
}

function Keys({ asks }: Pick<SearchBarProps, "asks">) {
  const { t } = useI18n();
  return (
    <p id="search-keys" class="keys muted small">
      <span>
        <kbd>/</kbd> <kbd>⌘K</kbd> {t("keyFocus")}
      </span>
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> {t("keyMove")}
      </span>
      {asks && (
        <span>
          <kbd>↵</kbd> {t("keyAsk")}
        </span>
      )}
      <span>
        <kbd>Esc</kbd> {t("keyClear")}
      </span>
    </p>
  );
}

interface SearchFiltersProps {
  readonly searchQuery: SearchQuery;
  readonly onChange: (next: Partial<SearchQuery>) => void;
}

/** Closed until a person opens it, unless the address contains a filter. */
function SearchFilters({ searchQuery, onChange }: SearchFiltersProps) {
  const { t } = useI18n();
  const filtered = isFiltered(searchQuery);
  const [open, setOpen] = useState(filtered);
  return (
    <div class="filters">
      <div class="row">
        <Button
          class="quiet"
          icon="filter"
          text={t("filters")}
          aria-expanded={open || filtered}
          onClick={() => setOpen(!open)}
        />
        {filtered && (
          <Button
            class="link"
            text={t("clearFilters")}
            onClick={() => onChange(withoutFilters(searchQuery))}
          />
        )}
      </div>
      {(open || filtered) && <Fields searchQuery={searchQuery} onChange={onChange} />}
    </div>
  );
}

function Fields({ searchQuery, onChange }: SearchFiltersProps) {
  const { t } = useI18n();
  const bind = (name: FilterName) => ({
    value: searchQuery[name],
    onInput: (event: { readonly currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      onChange({ [name]: event.currentTarget.value }),
  });
  return (
    <div class="filter-fields">
      <label>
        {t("format")}
        <select {...bind("format")}>
          <option value="">{t("anyFormat")}</option>
          {FORMATS.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {(["since", "until"] as const).map((name) => (
        <label key={name}>
          {t(name)}
          <input type="date" {...bind(name)} />
        </label>
      ))}
      <label>
        {t("tag")}
        <input {...bind("tag")} maxLength={100} />
      </label>
      <label>
        {t("path")}
        <input {...bind("path")} placeholder="manuals/**" maxLength={300} />
      </label>
    </div>
  );
}

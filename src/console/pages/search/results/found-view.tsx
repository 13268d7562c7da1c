// The outcome of a search: results, weak ones, none, none because of a filter, an empty knowledge base, a failure.

import { Collapsible } from "../../parts/collapsible.tsx";
import { Empty, NoDocuments } from "../../parts/notices.tsx";
import { useI18n } from "../../state/language.ts";
import { isFiltered, type SearchQuery } from "../search-query.ts";
import { Questions } from "../start/questions.tsx";
import type { Found } from "../use-found.ts";
import { groupHits } from "./group-hits.ts";
import { Results } from "./results.tsx";

interface FoundViewProps {
  readonly found: Exclude<Found, { state: "idle" }>;
  readonly searchQuery: SearchQuery;
  readonly onPick: (question: string) => void;
  readonly onUnfilter: () => void;
}

export function FoundView({ found, searchQuery, onPick, onUnfilter }: FoundViewProps) {
  const { t, explain } = useI18n();
  if (found.state === "failed") {
    return (
      <p class="problem" role="alert">
        {t("failed", explain(found.thrown))}
      </p>
    );
  }
  if (found.state === "empty-base") return <NoDocuments />;
  const { answer, query } = found;
  if (answer.results.length > 0) return <Listed {...{ answer, query, onPick }} />;
  if (isFiltered(searchQuery)) {
    return (
      <Empty icon="filter" title={t("noResultsFiltered", query)} text={t("noResultsFilterHint")}>
        <button type="button" onClick={onUnfilter}>
          {t("clearFilters")}
        </button>
      </Empty>
    );
  }
  return (
    <>
      <Empty icon="search" title={t("noResults", query)} text={t("noResultsHint")} />
      <Questions onPick={onPick} />
    </>
  );
}

type ListedProps = Pick<Extract<Found, { state: "found" }>, "answer" | "query"> &
  Pick<FoundViewProps, "onPick">;

function Listed({ answer, query, onPick }: ListedProps) {
  const { t } = useI18n();
  const { good, weak } = groupHits(answer.results);
  const weakCount = weak.reduce((sum, { hits }) => sum + hits.length, 0);
  return (
    <>
      <p class="muted small" role="status">
        {good.length > 0
          ? t("results", answer.results.length - weakCount, good.length, answer.search_time_ms)
          : t("onlyWeak", answer.search_time_ms)}
      </p>
      <Results groups={good} query={query} />
      {weak.length > 0 && (
        <Collapsible class="fold weak" summary={t("weakMatches", weakCount)}>
          {() => <Results groups={weak} query={query} />}
        </Collapsible>
      )}
      {good.length === 0 && <Questions onPick={onPick} />}
    </>
  );
}

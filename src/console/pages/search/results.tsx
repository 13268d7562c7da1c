// The outcome of a search: results, weak ones, none, none because of a filter, an empty knowledge base, a failure.

import { useState } from "preact/hooks";
import type { SearchResult } from "../../../tools/documents/contract.ts";
import { Button } from "../parts/button.tsx";
import { Collapsible } from "../parts/collapsible.tsx";
import { useAttempt } from "../parts/dialog.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { MarkedText } from "../parts/marked-text.tsx";
import { Empty, Failed, NoDocuments, Problem } from "../parts/notices.tsx";
import { useI18n } from "../state/language.ts";
import { api } from "../state/mcp.ts";
import { CHECK_TOOL, useOffers } from "../state/offered-tools.ts";
import { toPath } from "../state/route.ts";
import { type Group, groupHits, nameOf } from "./group-hits.ts";
import { compact } from "./passage-text.ts";
import { placeQuery, whereOf } from "./place.ts";
import { reasonsOf } from "./reasons.ts";
import { isFiltered, type SearchQuery } from "./search-query.ts";
import { Questions } from "./start.tsx";
import type { Found } from "./use-found.ts";

interface FoundViewProps {
  readonly found: Exclude<Found, { state: "idle" }>;
  readonly searchQuery: SearchQuery;
  readonly onUnfilter: () => void;
  readonly onRetry: () => void;
}

export function FoundView(props: FoundViewProps) {
  const { found, searchQuery, onUnfilter, onRetry } = props;
  const { t, explain } = useI18n();
  if (found.state === "failed") return <Failed reason={explain(found.thrown)} onRetry={onRetry} />;
  if (found.state === "empty-base") return <NoDocuments />;
  const { answer, query } = found;
  if (answer.results.length > 0) return <Listed answer={answer} query={query} />;
  if (isFiltered(searchQuery)) {
    return (
      <Empty icon="filter" title={t("noResultsFiltered", query)} text={t("noResultsFilterHint")}>
        <Button text={t("clearFilters")} onClick={onUnfilter} />
      </Empty>
    );
  }
  return (
    <>
      <Empty icon="search" title={t("noResults", query)} text={t("noResultsHint")} />
      <Questions />
    </>
  );
}

type ListedProps = Pick<Extract<Found, { state: "found" }>, "answer" | "query">;

function Listed({ answer, query }: ListedProps) {
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
      {good.length === 0 && <Questions />}
    </>
  );
}

// More hits of one document would push the others off the screen.
const SHOWN = 3;

function Results({ groups, query }: { groups: readonly Group[]; query: string }) {
  return (
    <ol class="results">
      {groups.map((group) => (
        <GroupCard key={group.id} group={group} query={query} />
      ))}
    </ol>
  );
}

function GroupCard({ group, query }: { group: Group; query: string }) {
  const { t } = useI18n();
  const [first] = group.hits;
  const shown = group.hits.slice(0, SHOWN);
  const more = group.hits.slice(SHOWN);
  const rows = (hits: readonly SearchResult[]) =>
    hits.map((hit) => <Hit key={hit.chunk_id} hit={hit} query={query} group={group} />);
  return (
    <li class="card group">
      <div class="row group-head">
        <h2>
          <a href={addressOf(first, query)} data-hit>
            <MarkedText text={nameOf(group)} query={query} />
          </a>
        </h2>
        <span class="badge">{group.format}</span>
        {group.title && <span class="muted small grow">{group.filename}</span>}
      </div>
      <ul class="hits">{rows(shown)}</ul>
      {more.length > 0 && (
        <Collapsible class="fold" summary={t("moreInDocument", more.length)}>
          {() => <ul class="hits">{rows(more)}</ul>}
        </Collapsible>
      )}
    </li>
  );
}

interface HitProps {
  readonly hit: SearchResult;
  readonly query: string;
  readonly group: Group;
}

function Hit({ hit, query, group }: HitProps) {
  const { t } = useI18n();
  const label = whereOf(hit, t, group.title);
  return (
    <li>
      <div class="row hit-head">
        <a class="hit" href={addressOf(hit, query)} data-hit>
          {label || t("openHere")}
        </a>
        <Strength hit={hit} query={query} />
        <PinButton hit={hit} query={query} />
      </div>
      <Markdown
        text={compact(hit.chunk_text)}
        query={query}
        format={hit.metadata.format}
        filename={hit.filename}
      />
      {hit.uncertain && <p class="muted small">{t("uncertainWords", hit.uncertain.join(" · "))}</p>}
    </li>
  );
}

/** Includes the query, so that the document's page can step through its matches. */
function addressOf({ document_id, metadata: { span } }: SearchResult, query: string): string {
  return toPath("documents", document_id, placeQuery(span, query));
}

const MEANING = { near: "meaningNear", related: "meaningRelated", far: "meaningFar" } as const;

/** Shows the strength as one word; a click opens the reasons. */
function Strength({ hit, query }: { hit: SearchResult; query: string }) {
  const { t } = useI18n();
  const badge = <span class={`badge ${hit.strength}`}>{t(hit.strength)}</span>;
  return (
    <Collapsible class="strength" summary={badge} title={t("whyScore")}>
      {() => <Reasons hit={hit} query={query} />}
    </Collapsible>
  );
}

function Reasons({ hit, query }: { hit: SearchResult; query: string }) {
  const { t } = useI18n();
  const { words, missing, inName, meaning } = reasonsOf(hit, query);
  const list = (found: readonly string[]) => found.map((word) => t("quoted", word)).join(" ");
  return (
    <ul>
      <li>{words.length > 0 ? t("reasonWords", list(words)) : t("reasonNoWords")}</li>
      {words.length > 0 && missing.length > 0 && <li>{t("reasonMissing", list(missing))}</li>}
      {inName.length > 0 && <li>{t("reasonName", list(inName))}</li>}
      {meaning && <li>{t(MEANING[meaning])}</li>}
      <li class="muted">{t("score", Math.round(hit.relevance_score * 100))}</li>
    </ul>
  );
}

// Enough words to tell the passage from others.
const PHRASE = 300;

/** From now on the check expects this passage for this question. */
function PinButton({ hit, query }: { hit: SearchResult; query: string }) {
  const { t } = useI18n();
  const [isPinned, setPinned] = useState(false);
  const { problem, attempt } = useAttempt();
  if (!useOffers(CHECK_TOOL)) return null;
  const phrase = hit.chunk_text.replaceAll("…", " ").trim().slice(0, PHRASE);
  const pin = () =>
    attempt(async () => {
      const { document_id: documentId } = hit;
      await api("/api/check/pin", { body: { question: query, documentId, phrase } });
      setPinned(true);
    });
  return (
    <>
      <Button
        class="quiet small"
        text={t(isPinned ? "pinned" : "pinCheck")}
        title={t("pinTitle")}
        disabled={isPinned}
        onClick={pin}
      />
      <Problem text={problem} />
    </>
  );
}

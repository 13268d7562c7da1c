// The outcome of a search: results, weak ones, none, none because of a filter, an empty knowledge base, a failure.

import { useState } from "preact/hooks";
import type { SearchResult } from "../../../tools/documents/contract.ts";
import { useAttempt } from "../parts/dialog.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { MarkedText } from "../parts/marked-text.tsx";
import { Button, Collapsible, Empty, Failed, NoDocuments, Problem } from "../parts/parts.tsx";
import { SampleMark, useIsSample } from "../parts/samples.tsx";
import { t } from "../state/language.ts";
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
  if (found.state === "failed") return <Failed thrown={found.thrown} onRetry={onRetry} />;
  if (found.state === "empty-base") return <NoDocuments />;
  const { answer, query } = found;
  if (answer.results.length > 0) return <Listed answer={answer} query={query} />;
  if (isFiltered(searchQuery)) {
    return (
      <Empty
        icon="filter"
        title={t("Nothing found for “{0}” with these filters", query)}
        text={t("Clear them to search all documents.")}
      >
        <Button text={t("Clear the filter")} onClick={onUnfilter} />
      </Empty>
    );
  }
  return (
    <>
      <Empty
        icon="search"
        title={t("Nothing found for “{0}”", query)}
        text={t("Try fewer or other words, or ask a whole question.")}
      />
      <Questions />
    </>
  );
}

type ListedProps = Pick<Extract<Found, { state: "found" }>, "answer" | "query">;

function Listed({ answer, query }: ListedProps) {
  const { good, weak } = groupHits(answer.results);
  const weakCount = weak.reduce((sum, { hits }) => sum + hits.length, 0);
  return (
    <>
      <p class="muted small" role="status">
        {good.length > 0
          ? t(
              "{0|passage|passages} in {1|document|documents} · {2} ms",
              answer.results.length - weakCount,
              good.length,
              answer.search_time_ms,
            )
          : t("No good matches · {0} ms", answer.search_time_ms)}
      </p>
      <Results groups={good} query={query} />
      {weak.length > 0 && (
        <Collapsible
          class="fold weak"
          summary={t("{0|weaker match|weaker matches}, possibly about something else", weakCount)}
        >
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
  const isSample = useIsSample();
  return (
    <ol class="results">
      {groups.map((group) => (
        <GroupCard key={group.id} isSample={isSample(group.id)} {...{ group, query }} />
      ))}
    </ol>
  );
}

interface GroupProps extends Pick<HitProps, "group" | "query"> {
  readonly isSample: boolean;
}

function GroupCard({ group, query, isSample }: GroupProps) {
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
        {isSample && <SampleMark />}
        {group.title && <span class="muted small grow">{group.filename}</span>}
      </div>
      <ul class="hits">{rows(shown)}</ul>
      {more.length > 0 && (
        <Collapsible class="fold" summary={t("{0} more in this document", more.length)}>
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
  const label = whereOf(hit, t, group.title);
  return (
    <li>
      <div class="row hit-head">
        <a class="hit" href={addressOf(hit, query)} data-hit>
          {label || t("Open at this place")}
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
      {hit.uncertain && (
        <p class="muted small">{t("OCR is not sure of: {0}", hit.uncertain.join(" · "))}</p>
      )}
    </li>
  );
}

/** Includes the query, so that the document's page can step through its matches. */
function addressOf({ document_id, metadata: { span } }: SearchResult, query: string): string {
  return toPath("documents", document_id, placeQuery(span, query));
}

const MEANING = {
  near: "Close in meaning",
  related: "Related in meaning",
  far: "Not close in meaning",
} as const;

const STRENGTH = { strong: "Strong", fair: "Fair", weak: "Weak" } as const;

/** Shows the strength as one word; a click opens the reasons. */
function Strength({ hit, query }: { hit: SearchResult; query: string }) {
  const badge = <span class={`badge ${hit.strength}`}>{t(STRENGTH[hit.strength])}</span>;
  return (
    <Collapsible class="strength" summary={badge} title={t("Why this was found")}>
      {() => <Reasons hit={hit} query={query} />}
    </Collapsible>
  );
}

function Reasons({ hit, query }: { hit: SearchResult; query: string }) {
  const { words, missing, inName, meaning } = reasonsOf(hit, query);
  const list = (found: readonly string[]) => found.map((word) => t("“{0}”", word)).join(" ");
  return (
    <ul>
      <li>{words.length > 0 ? t("Contains {0}", list(words)) : t("None of the words")}</li>
      {words.length > 0 && missing.length > 0 && <li>{t("Without {0}", list(missing))}</li>}
      {inName.length > 0 && <li>{t("The name contains {0}", list(inName))}</li>}
      {meaning && <li>{t(MEANING[meaning])}</li>}
      <li class="muted">{t("Relevance {0}%", Math.round(hit.relevance_score * 100))}</li>
    </ul>
  );
}

// Enough words to tell the passage from others.
const PHRASE = 300;

/** From now on the check expects this passage for this question. */
function PinButton({ hit, query }: { hit: SearchResult; query: string }) {
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
        text={t(isPinned ? "Pinned" : "Check this")}
        title={t("Check in future that this question finds this passage")}
        disabled={isPinned}
        onClick={pin}
      />
      <Problem text={problem} />
    </>
  );
}

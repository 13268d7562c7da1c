import type { SearchResult } from "../../../../tools/documents/contract.ts";
import { Collapsible } from "../../parts/collapsible.tsx";
import { Highlighted } from "../../parts/highlight/highlighted.tsx";
import { Markdown } from "../../parts/markdown.tsx";
import { useI18n } from "../../state/language.ts";
import { toHash } from "../../state/route.ts";
import { placeName, placeQuery } from "../place.ts";
import type { Group } from "./group-hits.ts";
import { compact } from "./passage-text.ts";
import { Strength } from "./strength.tsx";

// More hits of one document would push the others off the screen.
const SHOWN = 3;

export function Results({ groups, query }: { groups: readonly Group[]; query: string }) {
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
    hits.map((hit) => <Hit key={hit.chunk_id} hit={hit} query={query} />);
  return (
    <li class="card group">
      <div class="group-head">
        <h2>
          <a href={addressOf(first, query)} data-hit>
            <Highlighted text={group.title ?? group.filename} query={query} />
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

function Hit({ hit, query }: { hit: SearchResult; query: string }) {
  const { t } = useI18n();
  const { page_num, slide_num, sheet, headings = [] } = hit.metadata;
  const place = placeName(
    {
      ...(page_num === undefined ? {} : { page: page_num }),
      ...(slide_num === undefined ? {} : { slide: slide_num }),
      ...(sheet === undefined ? {} : { sheet }),
    },
    t,
  );
  const label = [place, headings.join(" › ")].filter(Boolean).join(" · ");
  return (
    <li>
      <div class="hit-head">
        <a class="hit" href={addressOf(hit, query)} data-hit>
          {label || t("openHere")}
        </a>
        <Strength hit={hit} query={query} />
      </div>
      <Markdown text={compact(hit.chunk_text)} query={query} format={hit.metadata.format} />
    </li>
  );
}

/** Includes the query, so that the document's page can step through its matches. */
function addressOf({ document_id, metadata: { span } }: SearchResult, query: string): string {
  return toHash("documents", document_id, placeQuery(span, query));
}

// What narrows a search: fields that a person fills in, or one document.
import { useState } from "preact/hooks";
import { FORMATS } from "../../../domain/document.ts";
import { Button } from "../parts/parts.tsx";
import { t } from "../state/language.ts";
import { call } from "../state/mcp.ts";
import { useLive } from "../state/use-live.tsx";
import { type FieldName, hasFields, type SearchQuery, withoutFilters } from "./search-query.ts";
import type { Found } from "./use-found.ts";

interface SearchFiltersProps {
  readonly searchQuery: SearchQuery;
  readonly found: Found;
  readonly onChange: (next: Partial<SearchQuery>) => void;
}

/** Closed until a person opens it, unless the address contains a filter. */
export function SearchFilters({ searchQuery, found, onChange }: SearchFiltersProps) {
  const filtered = hasFields(searchQuery);
  const [open, setOpen] = useState(filtered);
  const { document } = searchQuery;
  return (
    <div class="filters">
      <div class="row">
        <Button
          class="quiet"
          icon="filter"
          text={t("Filters")}
          aria-expanded={open || filtered}
          onClick={() => setOpen(!open)}
        />
        {document && <OnlyIn id={document} onClear={() => onChange({ document: "" })} />}
        {filtered && (
          <Button
            class="link"
            text={t("Clear the filter")}
            onClick={() => onChange(withoutFilters(searchQuery))}
          />
        )}
      </div>
      {(open || filtered) && <Fields {...{ searchQuery, found, onChange }} />}
    </div>
  );
}

/** The one document that is searched. */
function OnlyIn({ id, onClear }: { readonly id: string; readonly onClear: () => void }) {
  const { data } = useLive((signal) => call("knowledge-show", { document_id: id }, signal), 0, [
    id,
  ]);
  return (
    <span class="badge">
      {t("Only in {0}", data?.documents[0]?.filename ?? id)}
      <Button
        class="quiet icon-only"
        icon="close"
        aria-label={t("Search all documents")}
        onClick={onClear}
      />
    </span>
  );
}

function Fields({ searchQuery, found, onChange }: SearchFiltersProps) {
  const bind = (name: FieldName) => ({
    value: searchQuery[name],
    onInput: (event: { readonly currentTarget: HTMLInputElement | HTMLSelectElement }) =>
      onChange({ [name]: event.currentTarget.value }),
  });
  return (
    <div class="filter-fields">
      <label>
        {t("Format")}
        <select {...bind("format")}>
          <Formats chosen={searchQuery.format} />
        </select>
      </label>
      {(["since", "until"] as const).map((name) => (
        <label key={name}>
          {t(name === "since" ? "Added since" : "Added until")}
          <input type="date" {...bind(name)} />
        </label>
      ))}
      <label>
        {t("Tag")}
        <input {...bind("tag")} maxLength={100} list="tags" />
        <datalist id="tags">
          {tagsOf(found).map((tag) => (
            <option key={tag} value={tag} />
          ))}
        </datalist>
      </label>
      <label>
        {t("Path")}
        <input {...bind("path")} placeholder="manuals/**" maxLength={300} />
      </label>
    </div>
  );
}

// A list of this many documents names every format of most knowledge bases.
const LOOKED_AT = 1_000;

/** The formats that are here, and the chosen one; all of them until the list has arrived, or if it is too long. */
function Formats({ chosen }: { readonly chosen: string }) {
  const { data } = useLive((signal) => call("knowledge-show", { limit: LOOKED_AT }, signal), 0);
  const isKnown = data !== undefined && data.total_count <= LOOKED_AT;
  const here = new Set<string>(data?.documents.map(({ format }) => format)).add(chosen);
  return (
    <>
      <option value="">{t("Any format")}</option>
      {FORMATS.filter((format) => !isKnown || here.has(format)).map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </>
  );
}

/** The tags of the documents that were found. */
function tagsOf(found: Found): readonly string[] {
  const results = found.state === "found" ? found.answer.results : [];
  const tags = results.flatMap(({ metadata }) => metadata["tags"] ?? []);
  return [...new Set(tags.filter((tag): tag is string => typeof tag === "string"))];
}

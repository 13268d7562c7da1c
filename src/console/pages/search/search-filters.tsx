import { useState } from "preact/hooks";
import { FORMATS } from "../../../domain/document.ts";
import { Icon } from "../parts/icon.tsx";
import { useI18n } from "../state/language.ts";
import { type FilterName, isFiltered, type SearchQuery, withoutFilters } from "./search-query.ts";

interface SearchFiltersProps {
  readonly searchQuery: SearchQuery;
  readonly onChange: (next: Partial<SearchQuery>) => void;
}

/** Closed until a person opens it, unless the address contains a filter. */
export function SearchFilters({ searchQuery, onChange }: SearchFiltersProps) {
  const { t } = useI18n();
  const filtered = isFiltered(searchQuery);
  const [open, setOpen] = useState(filtered);
  return (
    <div class="filters">
      <div class="row">
        <button
          type="button"
          class="quiet"
          aria-expanded={open || filtered}
          onClick={() => setOpen(!open)}
        >
          <Icon name="filter" /> {t("filters")}
        </button>
        {filtered && (
          <button type="button" class="link" onClick={() => onChange(withoutFilters(searchQuery))}>
            {t("clearFilters")}
          </button>
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
      <label>
        {t("since")}
        <input type="date" {...bind("since")} />
      </label>
      <label>
        {t("until")}
        <input type="date" {...bind("until")} />
      </label>
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

import type { DocumentRow } from "../../../tools/documents/contract.ts";
import { Empty } from "../parts/empty.tsx";
import { Icon } from "../parts/icon.tsx";
import { useRemovals } from "../removals/use-removals.ts";
import { useI18n } from "../state/language.ts";
import { DropZone } from "../uploads/drop-zone.tsx";
import { useOnAdded } from "../uploads/use-uploads.ts";
import { AddAddress } from "./add-address.tsx";
import { DocumentTable } from "./document-table.tsx";
import { Pager } from "./pager.tsx";
import { useDocuments, type Wanted } from "./use-documents.ts";
import { type Selection, useSelection } from "./use-selection.ts";

export function Documents() {
  const { t } = useI18n();
  const { data, error, refresh, wanted, change } = useDocuments();
  const selection = useSelection();
  const { gone, remove } = useRemovals();
  useOnAdded(refresh);
  const leave = (rows: readonly DocumentRow[]) => {
    selection.clear();
    remove(rows);
  };
  const rows = (data?.documents ?? []).filter(({ id }) => !gone.has(id));
  const isEmpty = data !== undefined && rows.length === 0;
  return (
    <>
      <h1>{t("documents")}</h1>
      <DropZone>
        <AddAddress />
      </DropZone>
      <div class="row between">
        <Filter match={wanted.match} onChange={change} />
        <SelectionBar selection={selection} onRemove={() => leave(selection.chosen)} />
      </div>
      {error && <p class="problem">{t("failed", error)}</p>}
      {rows.length > 0 && <DocumentTable {...{ rows, wanted, change, selection, leave }} />}
      {isEmpty && <NothingHere match={wanted.match} onClear={() => change({ match: "" })} />}
      <Pager
        total={data?.total_count ?? 0}
        offset={wanted.offset}
        onOffset={(offset) => change({ offset })}
      />
    </>
  );
}

function SelectionBar({ selection, onRemove }: { selection: Selection; onRemove: () => void }) {
  const { t } = useI18n();
  if (selection.chosen.length === 0) return null;
  return (
    <section class="row" aria-label={t("selection")}>
      <span class="muted">{t("selected", selection.chosen.length)}</span>
      <button type="button" class="quiet" onClick={selection.clear}>
        {t("cancel")}
      </button>
      <button type="button" class="danger" onClick={onRemove}>
        <Icon name="trash" /> {t("remove")}
      </button>
    </section>
  );
}

interface FilterProps {
  readonly match: string;
  readonly onChange: (next: Partial<Wanted>) => void;
}

function Filter({ match, onChange }: FilterProps) {
  const { t } = useI18n();
  return (
    <label class="inline">
      <span class="hidden">{t("filterDocuments")}</span>
      <input
        type="search"
        placeholder={t("filterDocuments")}
        value={match}
        onInput={(event) => onChange({ match: event.currentTarget.value, offset: 0 })}
      />
    </label>
  );
}

function NothingHere({ match, onClear }: { match: string; onClear: () => void }) {
  const { t } = useI18n();
  if (!match) return <Empty icon="file" title={t("noDocuments")} text={t("noDocumentsHint")} />;
  return (
    <Empty icon="filter" title={t("noneMatch")}>
      <button type="button" onClick={onClear}>
        {t("clearFilters")}
      </button>
    </Empty>
  );
}

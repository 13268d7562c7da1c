// The rows of the list, their order, and which of them are selected.
import { useState } from "preact/hooks";
import { GENERAL_SCOPE } from "../../../domain/call/grants.ts";
import type { DocumentRow } from "../../../tools/documents/contract.ts";
import { Button, RelativeDate } from "../parts/parts.tsx";
import { formatBytes, languageNow, sayWord, t } from "../state/language.ts";
import { toPath } from "../state/route.ts";
import type { Text } from "../state/texts.ts";

type SortField = "date_added" | "filename" | "size";

export interface Wanted {
  readonly by: SortField;
  readonly order: "asc" | "desc";
  readonly match: string;
  readonly offset: number;
}

interface TableProps {
  readonly rows: readonly DocumentRow[];
  readonly wanted: Wanted;
  readonly change: (next: Partial<Wanted>) => void;
  readonly selection: Selection;
  readonly leave: (rows: readonly DocumentRow[]) => void;
}

interface Column {
  readonly word: Text;
  readonly sort?: SortField;
  readonly numeric?: boolean;
  /** Columns keep their places when the list is filtered. */
  readonly width?: string;
}

const COLUMNS: readonly Column[] = [
  { word: "Name", sort: "filename" },
  { word: "Format", width: "5.5rem" },
  { word: "Size", sort: "size", numeric: true, width: "6.5rem" },
  { word: "Passages", numeric: true, width: "6rem" },
  { word: "Read by", width: "8.5rem" },
  { word: "Scope", width: "8rem" },
  { word: "Added", sort: "date_added", width: "8.5rem" },
];

export function DocumentTable(props: TableProps) {
  const { rows, selection, leave } = props;
  // Nobody who has no scopes of their own needs the column.
  const hasScopes = rows.some(({ scope }) => scope);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: content that scrolls sideways must be reachable by keyboard
    <section class="scroll" aria-label={t("Documents")} tabIndex={0}>
      <table class="documents">
        <thead>
          <tr>
            <th scope="col" class="pick">
              <input
                type="checkbox"
                aria-label={t("Select all on this page")}
                checked={rows.every(({ id }) => selection.has(id))}
                onChange={() => selection.toggleAll(rows)}
              />
            </th>
            {COLUMNS.filter(({ word }) => word !== "Scope" || hasScopes).map((column) => (
              <Heading key={column.word} column={column} {...props} />
            ))}
            <th scope="col" style={{ width: "3.5rem" }}>
              <span class="hidden">{t("Remove")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} {...{ row, hasScopes, selection, leave }} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

const DIRECTIONS = { asc: "ascending", desc: "descending" } as const;

function Heading({ column, wanted, change }: TableProps & { column: Column }) {
  const { word, sort, numeric, width } = column;
  const isSorted = sort !== undefined && sort === wanted.by;
  const next = isSorted && wanted.order === "asc" ? "desc" : "asc";
  return (
    <th
      scope="col"
      class={numeric ? "number" : undefined}
      style={{ width }}
      aria-sort={isSorted ? DIRECTIONS[wanted.order] : undefined}
    >
      {sort ? (
        <Button
          class="sort"
          text={t(word)}
          onClick={() => change({ by: sort, order: next, offset: 0 })}
        />
      ) : (
        t(word)
      )}
    </th>
  );
}

interface RowProps extends Pick<TableProps, "selection" | "leave"> {
  readonly row: DocumentRow;
  readonly hasScopes: boolean;
}

function Row({ row, hasScopes, selection, leave }: RowProps) {
  const { id, filename, title } = row;
  return (
    <tr class={selection.has(id) ? "chosen" : undefined}>
      <td class="pick">
        <input
          type="checkbox"
          aria-label={t("Select {0}", filename)}
          checked={selection.has(id)}
          onChange={() => selection.toggle(row)}
        />
      </td>
      <th scope="row">
        <a href={toPath("documents", id)}>{filename}</a>
        {title && title !== filename && <span class="note small">{title}</span>}
      </th>
      <td>
        <span class="badge">{row.format}</span>
      </td>
      <td class="number">{formatBytes(row.size_bytes)}</td>
      <td class="number only-wide">{row.chunk_count.toLocaleString(languageNow())}</td>
      <td class="only-wide">{sayWord(row.processing_method)}</td>
      {hasScopes && <td class="only-wide">{row.scope ?? GENERAL_SCOPE}</td>}
      <td>
        <RelativeDate iso={row.date_added} />
      </td>
      <td class="last">
        <Button
          class="quiet icon-only"
          icon="trash"
          aria-label={`${t("Remove")} ${filename}`}
          onClick={() => leave([row])}
        />
      </td>
    </tr>
  );
}

export type Selection = ReturnType<typeof useSelection>;

export function useSelection() {
  // In the order in which they were selected, from any page of the list.
  const [chosen, setChosen] = useState<readonly DocumentRow[]>([]);
  const has = (id: string) => chosen.some((row) => row.id === id);
  const without = (ids: ReadonlySet<string>) => chosen.filter((row) => !ids.has(row.id));
  return {
    chosen,
    has,
    toggle: (row: DocumentRow) =>
      setChosen(has(row.id) ? without(new Set([row.id])) : [...chosen, row]),
    /** Selects all of these, or none if all were selected. */
    toggleAll(rows: readonly DocumentRow[]) {
      const others = without(new Set(rows.map(({ id }) => id)));
      setChosen(rows.every(({ id }) => has(id)) ? others : [...others, ...rows]);
    },
    clear: () => setChosen([]),
  };
}

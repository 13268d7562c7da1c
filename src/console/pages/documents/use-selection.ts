import { useState } from "preact/hooks";
import type { DocumentRow } from "../../../tools/documents/contract.ts";

export interface Selection {
  /** In the order in which they were selected, from any page of the list. */
  readonly chosen: readonly DocumentRow[];
  readonly has: (id: string) => boolean;
  readonly toggle: (row: DocumentRow) => void;
  /** Selects all of these, or none if all were selected. */
  readonly toggleAll: (rows: readonly DocumentRow[]) => void;
  readonly clear: () => void;
}

export function useSelection(): Selection {
  const [chosen, setChosen] = useState<readonly DocumentRow[]>([]);
  const has = (id: string) => chosen.some((row) => row.id === id);
  const without = (ids: ReadonlySet<string>) => chosen.filter((row) => !ids.has(row.id));
  return {
    chosen,
    has,
    toggle: (row) => setChosen(has(row.id) ? without(new Set([row.id])) : [...chosen, row]),
    toggleAll(rows) {
      const others = without(new Set(rows.map(({ id }) => id)));
      setChosen(rows.every(({ id }) => has(id)) ? others : [...others, ...rows]);
    },
    clear: () => setChosen([]),
  };
}

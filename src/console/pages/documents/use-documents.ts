// One page of the document list: sorted, filtered, refreshed.
import { useState } from "preact/hooks";
import type { DocumentList } from "../../../tools/documents/contract.ts";
import { call } from "../state/mcp.ts";
import { type Live, useLive } from "../state/use-live.ts";

export const PAGE_SIZE = 25;
const EVERY_MS = 3_000;

export type SortField = "date_added" | "filename" | "size";

export interface Wanted {
  readonly by: SortField;
  readonly order: "asc" | "desc";
  readonly match: string;
  readonly offset: number;
}

interface Documents extends Live<DocumentList> {
  readonly wanted: Wanted;
  readonly change: (next: Partial<Wanted>) => void;
}

export function useDocuments(): Documents {
  const [wanted, setWanted] = useState<Wanted>({
    by: "date_added",
    order: "desc",
    match: "",
    offset: 0,
  });
  const { by, order, match, offset } = wanted;
  const live = useLive(
    (signal) => {
      const page = { limit: PAGE_SIZE, offset, sort_by: by, sort_order: order };
      return call("knowledge-show", { ...page, ...(match ? { match } : {}) }, signal);
    },
    EVERY_MS,
    [wanted],
  );
  return { ...live, wanted, change: (next) => setWanted({ ...wanted, ...next }) };
}

// The place that a link points to: ?chunk=ID or ?span=START-END, with the words of ?q= marked in it.
import type { DocumentView } from "../../../tools/documents/contract.ts";
import type { Route } from "../state/route.ts";

export interface CitedPlace {
  readonly start: number;
  readonly end: number;
}

export function citedPlaceOf({ query }: Route, { passages }: DocumentView): CitedPlace | undefined {
  const [start, end] = (query.get("span") ?? "").split("-").map(Number);
  if (start !== undefined && end !== undefined && end > start) return { start, end };
  const id = query.get("chunk");
  return passages.find((passage) => passage.id === id);
}

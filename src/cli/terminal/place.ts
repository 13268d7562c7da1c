import type { SearchResult } from "../../tools/documents/contract.ts";

type PlacedIn = Pick<SearchResult["metadata"], "page_num" | "slide_num" | "sheet">;

/** Says where in its document a passage is. */
export function describePlace({ page_num, slide_num, sheet }: PlacedIn): string {
  if (slide_num !== undefined) return `slide ${slide_num}`;
  if (page_num !== undefined) return `page ${page_num}`;
  return sheet === undefined ? "" : `sheet ${sheet}`;
}

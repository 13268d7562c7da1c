import type { SearchResult } from "../../tools/documents/contract.ts";

type PlacedIn = Pick<SearchResult["metadata"], "page_num" | "slide_num" | "sheet">;

/** A passage's place in its document, in words. */
export function describePlace({ page_num, slide_num, sheet }: PlacedIn): string {
  if (slide_num !== undefined) return `slide ${slide_num}`;
  if (page_num !== undefined) return `page ${page_num}`;
  return sheet === undefined ? "" : `sheet ${sheet}`;
}

import type { Place, SearchResult } from "../../../tools/documents/contract.ts";
import type { Translate } from "../state/language.ts";

export function placeKey(place: Place): string {
  return `${place.page ?? ""}/${place.slide ?? ""}/${place.sheet ?? ""}`;
}

type Named = { readonly [Key in keyof Place]?: Place[Key] | undefined };

export function placeName(place: Named, t: Translate): string {
  // A slide's page has the same number, so only the slide is named.
  if (place.slide !== undefined) return t("Slide {0}", place.slide);
  if (place.page !== undefined) return t("Page {0}", place.page);
  if (place.sheet !== undefined)
    return isNamedSheet(place.sheet) ? place.sheet : t("Sheet {0}", place.sheet);
  return "";
}

/** "Sheet1" says itself that it is one. */
function isNamedSheet(name: string): boolean {
  return /^(?:sheet|シート)/i.test(name);
}

type Found = Pick<SearchResult, "metadata">;

/** A hit's place and its headings, below the name under which it is shown. A sheet's heading is its name, too. */
export function whereOf({ metadata }: Found, t: Translate, shown = ""): string {
  const { page_num, slide_num, sheet, headings = [] } = metadata;
  const place = placeName({ page: page_num, slide: slide_num, sheet }, t);
  const path = headings.filter((heading) => heading !== sheet && heading !== shown).join(" › ");
  return [place, path].filter(Boolean).join(" · ");
}

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The query part of a document's address: the place to mark, and the words to step through. */
export function placeQuery(span: Span | undefined, query: string): Record<string, string> {
  return {
    ...(span ? { span: `${span.start}-${span.end}` } : {}),
    ...(query === "" ? {} : { q: query }),
  };
}

// The query and its filters, as written in the address.
import type { z } from "zod";
import type { KNOWLEDGE_SEARCH } from "../../../tools/documents/contract.ts";
import { type Route, toHash } from "../state/route.ts";

const FILTER_NAMES = ["format", "since", "until", "tag", "path"] as const;
export type FilterName = (typeof FILTER_NAMES)[number];

export type SearchQuery = Readonly<Record<FilterName | "text", string>>;

export function fromRoute({ query }: Pick<Route, "query">): SearchQuery {
  const value = (name: string) => query.get(name) ?? "";
  return {
    text: value("q"),
    format: value("format"),
    since: value("since"),
    until: value("until"),
    tag: value("tag"),
    path: value("path"),
  };
}

export function toAddress(searchQuery: SearchQuery): string {
  const pairs = FILTER_NAMES.map((name) => [name, searchQuery[name].trim()] as const);
  const set = [["q", searchQuery.text.trim()] as const, ...pairs].filter(
    ([, value]) => value !== "",
  );
  return toHash("search", undefined, Object.fromEntries(set));
}

export function isFiltered(searchQuery: SearchQuery): boolean {
  return FILTER_NAMES.some((name) => searchQuery[name].trim() !== "");
}

export function withoutFilters({ text }: SearchQuery): SearchQuery {
  return { text, format: "", since: "", until: "", tag: "", path: "" };
}

type Filters = NonNullable<z.input<typeof KNOWLEDGE_SEARCH.input>["filters"]>;

export function toFilters({ format, since, until, tag, path }: SearchQuery): Filters {
  const range = { ...(since && { start: since }), ...(until && { end: until }) };
  return {
    ...(format && { format }),
    ...(Object.keys(range).length > 0 && { date_range: range }),
    ...(tag.trim() && { tags: tag.trim() }),
    ...(path.trim() && { path: path.trim() }),
  };
}

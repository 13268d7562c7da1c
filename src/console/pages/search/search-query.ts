// The query and its filters, as written in the address.
import type { z } from "zod";
import type { KNOWLEDGE_SEARCH } from "../../../tools/documents/contract.ts";
import { type Route, toPath } from "../state/route.ts";
import { followUp } from "./follow-up.ts";

const FIELD_NAMES = ["format", "since", "until", "tag", "path"] as const;
const FILTER_NAMES = [...FIELD_NAMES, "document"] as const;
/** `ask`: the question was asked. `about`: the question before it, which it leaves words out of. */
const NAMES = [...FILTER_NAMES, "ask", "about"] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

export type SearchQuery = Readonly<Record<(typeof NAMES)[number] | "text", string>>;

export function fromRoute({ query }: Pick<Route, "query">): SearchQuery {
  const pairs = NAMES.map((name) => [name, query.get(name) ?? ""]);
  return { text: query.get("q") ?? "", ...Object.fromEntries(pairs) };
}

/** The question in full. */
export function questionOf({ text, about }: SearchQuery): string {
  return (about && followUp(about, text)) || text.trim();
}

export function fromAddress(address: string): SearchQuery {
  return fromRoute({ query: new URLSearchParams(address.split("?")[1] ?? "") });
}

export function toAddress(searchQuery: SearchQuery): string {
  const pairs = NAMES.map((name) => [name, searchQuery[name].trim()] as const);
  const set = [["q", searchQuery.text.trim()] as const, ...pairs].filter(
    ([, value]) => value !== "",
  );
  return toPath("search", undefined, Object.fromEntries(set));
}

export function hasFields(searchQuery: SearchQuery): boolean {
  return FIELD_NAMES.some((name) => searchQuery[name].trim() !== "");
}

export function isFiltered(searchQuery: SearchQuery): boolean {
  return FILTER_NAMES.some((name) => searchQuery[name].trim() !== "");
}

export function withoutFilters({ text }: SearchQuery): SearchQuery {
  return fromRoute({ query: new URLSearchParams({ q: text }) });
}

type Filters = NonNullable<z.input<typeof KNOWLEDGE_SEARCH.input>["filters"]>;

export function toFilters(searchQuery: SearchQuery): Filters {
  const { format, since, until, tag, path, document } = searchQuery;
  const range = { ...(since && { start: since }), ...(until && { end: until }) };
  return {
    ...(format && { format }),
    ...(Object.keys(range).length > 0 && { date_range: range }),
    ...(tag.trim() && { tags: tag.trim() }),
    ...(path.trim() && { path: path.trim() }),
    ...(document && { document_id: document }),
  };
}

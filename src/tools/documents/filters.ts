// The `filters` of a search: the contract's format and date_range, and any key of the documents' metadata.
import { defined } from "../../domain/defined.ts";
import { FORMATS, type Format } from "../../domain/document.ts";
import { formatOfName } from "../../domain/format-name.ts";
import type { SearchFilter } from "../../domain/passage.ts";
import { MAX_GLOB } from "../../text/patterns/glob.ts";
import type { Filters } from "./contract.ts";
import { invalidParameter } from "./tool.ts";

/** Results use these names for a passage's place, which hides metadata of the same name. */
const PLACES = ["page_num", "slide_num", "sheet", "until", "headings", "span", "date_added"];

export function toFilter(filters: Filters): SearchFilter {
  const { format, date_range, filename, document_id, title, path, ...others } = filters;
  const { modified_from, modified_to, as_of, ...metadata } = others;
  const place = PLACES.find((name) => metadata[name] !== undefined);
  if (place !== undefined)
    throw invalidParameter(`filters.${place}`, "is shown in results but cannot be a filter");
  if (metadata["collection"] !== undefined)
    throw invalidParameter(
      "filters.collection",
      "is a reserved name; filter by tags or another key",
    );
  const { start, end } = date_range ?? {};
  if (start !== undefined && end !== undefined && Date.parse(start) > Date.parse(end)) {
    throw invalidParameter("filters.date_range", "start must not be after end");
  }
  const wanted = Object.entries(metadata).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, listOf<string | number | boolean>(value)] as const],
  );
  return defined({
    formats: textsOf(format)?.map(toFormat),
    addedFrom: start,
    addedTo: end,
    modifiedFrom: modified_from,
    modifiedTo: modified_to,
    asOf: as_of,
    filenames: textsOf(filename),
    paths: textsOf(path)?.map(toGlob),
    titles: textsOf(title),
    documentIds: textsOf(document_id),
    metadata: wanted.length === 0 ? undefined : Object.fromEntries(wanted),
  });
}

/** As people write it: PDF, .pdf, jpeg. */
function toFormat(text: string): Format {
  const format = formatOfName(`x.${text.trim().replace(/^\./, "")}`);
  if (format !== undefined) return format;
  throw invalidParameter("filters.format", `must be one of ${FORMATS.join(", ")}`);
}

function toGlob(text: string): string {
  const glob = text.trim().replaceAll("\\", "/");
  if (glob !== "" && glob.length <= MAX_GLOB) return glob;
  throw invalidParameter("filters.path", `must have 1 to ${MAX_GLOB} characters`);
}

function textsOf(value: unknown): readonly string[] | undefined {
  return value === undefined ? undefined : listOf(value).map(String);
}

function listOf<Item>(value: Item | readonly Item[]): readonly Item[] {
  return Array.isArray(value) ? value : [value as Item];
}

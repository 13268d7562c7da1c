// The `filters` of a search: the contract's format and date_range, and any key of the documents' metadata.
import { z } from "zod";
import { FORMATS, type Format } from "../../../domain/document.ts";
import { KnowledgeError } from "../../../domain/errors.ts";
import { formatOfName } from "../../../domain/format-name.ts";
import type { SearchFilter } from "../../../domain/passage.ts";
import { bounded } from "../../bounded.ts";

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const oneOrMore = z.union([scalar, z.array(scalar).min(1).max(100)]);
const strings = z.union([z.string(), z.array(z.string()).min(1).max(100)]);

const date = z
  .string()
  .refine((text) => /^\d{4}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text)), {
    error: "must be a date such as 2025-01-31 or an instant such as 2025-01-31T12:00:00Z",
  });

export const filtersShape = bounded(
  z
    .object({
      format: strings.optional().describe(`One or more of ${FORMATS.join(", ")}`),
      date_range: z
        .strictObject({ start: date.optional(), end: date.optional() })
        .optional()
        .describe("When the document was added; both ends included"),
      tags: strings.optional().describe("Documents with any of these tags"),
    })
    .catchall(oneOrMore),
);

export type Filters = z.output<typeof filtersShape>;

export function toFilter(filters: Filters): SearchFilter {
  const { format, date_range, filename, document_id, ...metadata } = filters;
  const { start, end } = date_range ?? {};
  if (start !== undefined && end !== undefined && Date.parse(start) > Date.parse(end)) {
    throw invalid("filters.date_range", "start must not be after end");
  }
  const wanted = Object.entries(metadata).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, listOf<string | number | boolean>(value)] as const],
  );
  return {
    ...(format === undefined ? {} : { formats: listOf(format).map(toFormat) }),
    ...(start === undefined ? {} : { addedFrom: start }),
    ...(end === undefined ? {} : { addedTo: end }),
    ...(filename === undefined ? {} : { filenames: listOf(filename).map(String) }),
    ...(document_id === undefined ? {} : { documentIds: listOf(document_id).map(String) }),
    ...(wanted.length === 0 ? {} : { metadata: Object.fromEntries(wanted) }),
  };
}

/** As people write it: PDF, .pdf, jpeg. */
function toFormat(text: string): Format {
  const format = formatOfName(`x.${text.trim().replace(/^\./, "")}`);
  if (format !== undefined) return format;
  throw invalid("filters.format", `must be one of ${FORMATS.join(", ")}`);
}

function listOf<Item>(value: Item | readonly Item[]): readonly Item[] {
  return Array.isArray(value) ? value : [value as Item];
}

function invalid(parameter: string, problem: string): KnowledgeError {
  return new KnowledgeError("INVALID_PARAMETER", `'${parameter}': ${problem}.`, {
    details: { parameter },
  });
}

// Converts the limits of a date filter to the format of stored dates.
import { KnowledgeError } from "../../domain/errors.ts";
import type { SearchFilter } from "../../domain/passage.ts";

const DAY_ONLY = /^\d{4}-\d{2}-\d{2}$/;

export function dateRange(filter: SearchFilter): { from?: string; to?: string } {
  const { addedFrom, addedTo } = filter;
  return {
    ...(addedFrom === undefined ? {} : { from: toInstant(addedFrom, "T00:00:00.000Z") }),
    // An end given as a day includes the whole day.
    ...(addedTo === undefined ? {} : { to: toInstant(addedTo, "T23:59:59.999Z") }),
  };
}

function toInstant(value: string, time: string): string {
  const instant = new Date(DAY_ONLY.test(value) ? value + time : value);
  if (Number.isNaN(instant.getTime())) {
    throw new KnowledgeError(
      "INVALID_PARAMETER",
      "A date in the filter is not an ISO 8601 date or instant, such as 2026-01-31.",
      { details: { parameter: "date_range" } },
    );
  }
  return instant.toISOString();
}

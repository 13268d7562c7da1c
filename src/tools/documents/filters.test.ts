import { expect, test } from "vitest";
import { toFilter } from "./filters.ts";
import { filters as filtersShape } from "./shapes.ts";

const parse = (filters: unknown) => toFilter(filtersShape.parse(filters));

test("the contract's filters become conditions", () => {
  expect(parse({ format: "pdf", date_range: { start: "2025-01-01", end: "2025-12-31" } })).toEqual({
    formats: ["pdf"],
    addedFrom: "2025-01-01",
    addedTo: "2025-12-31",
  });
});

test("formats are understood as people write them", () => {
  expect(parse({ format: ["PDF", ".jpeg", "htm"] })).toEqual({ formats: ["pdf", "jpg", "html"] });
});

test("keys that are not known are metadata", () => {
  expect(parse({ tags: ["a", "b"], author: "Ann", year: 2024, document_id: "x" })).toEqual({
    documentIds: ["x"],
    metadata: { tags: ["a", "b"], author: ["Ann"], year: [2024] },
  });
});

test.each([
  [{ format: "xyz" }, "filters.format"],
  [{ format: "constructor" }, "filters.format"],
  [{ date_range: { start: "2025-02-01", end: "2025-01-01" } }, "filters.date_range"],
])("%j is refused and named", (filters, parameter) => {
  expect(() => parse(filters)).toThrow(expect.objectContaining({ details: { parameter } }));
});

test.each([
  { date_range: { start: "yesterday" } },
  { date_range: { from: "2025-01-01" } },
  { tags: [] },
  { nested: { deep: 1 } },
])("%j does not fit the schema", (filters) => {
  expect(filtersShape.safeParse(filters).success).toBe(false);
});

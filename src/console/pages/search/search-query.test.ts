import { expect, test } from "vitest";
import {
  fromRoute,
  isFiltered,
  type SearchQuery,
  toAddress,
  toFilters,
  withoutFilters,
} from "./search-query.ts";

const full: SearchQuery = {
  text: "duck feet & 羽",
  format: "pdf",
  since: "2026-01-01",
  until: "2026-02-01",
  tag: "birds",
  path: "manuals/**",
};

test("an address holds the question and every filter", () => {
  const [, query = ""] = toAddress(full).split("?");
  expect(fromRoute({ query: new URLSearchParams(query) })).toEqual(full);
});

test("an empty question has a bare address", () => {
  expect(toAddress(withoutFilters({ ...full, text: " " }))).toBe("#/search");
});

test("filters become those of the tool", () => {
  expect(toFilters(full)).toEqual({
    format: "pdf",
    date_range: { start: "2026-01-01", end: "2026-02-01" },
    tags: "birds",
    path: "manuals/**",
  });
  expect(toFilters(withoutFilters(full))).toEqual({});
});

test("a question alone is not filtered", () => {
  expect(isFiltered(full)).toBe(true);
  expect(isFiltered(withoutFilters(full))).toBe(false);
});

import { expect, test } from "vitest";
import {
  fromAddress,
  isFiltered,
  questionOf,
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
  document: "d1",
  ask: "1",
  about: "",
};

test("an address holds the question and every filter", () => {
  expect(fromAddress(toAddress(full))).toEqual(full);
});

test("a follow-up is asked in full, and its address keeps both questions", () => {
  const asked = { ...full, text: "and in Canada?", about: "How long is leave in Germany?" };
  expect(questionOf(asked)).toBe("How long is leave in Canada?");
  expect(questionOf(fromAddress(toAddress(asked)))).toBe("How long is leave in Canada?");
});

test("an empty question has a bare address", () => {
  expect(toAddress(withoutFilters({ ...full, text: " " }))).toBe("/search");
});

test("filters become those of the tool", () => {
  expect(toFilters(full)).toEqual({
    format: "pdf",
    date_range: { start: "2026-01-01", end: "2026-02-01" },
    tags: "birds",
    path: "manuals/**",
    document_id: "d1",
  });
  expect(toFilters(withoutFilters(full))).toEqual({});
});

test("a question alone is not filtered", () => {
  expect(isFiltered(full)).toBe(true);
  expect(isFiltered(withoutFilters(full))).toBe(false);
});

import { expect, test } from "vitest";
import type { SearchResult } from "../../../tools/documents/contract.ts";
import { i18n } from "../state/language.ts";
import { whereOf } from "./place.ts";

const where = (metadata: object, shown?: string) => {
  const hit = { metadata } as unknown as SearchResult;
  return whereOf(hit, i18n("en").t, shown);
};

test("a sheet's name is said once", () => {
  expect(where({ sheet: "Sheet1", headings: ["Sheet1"] })).toBe("Sheet1");
  expect(where({ sheet: "2026" })).toBe("Sheet 2026");
  expect(where({ headings: ["Handbook", "Leave"] }, "Handbook")).toBe("Leave");
  expect(where({ page_num: 3, headings: ["Leave", "Parents"] })).toBe("Page 3 · Leave › Parents");
});

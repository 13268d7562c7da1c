import { expect, test } from "vitest";
import { pickHeadings } from "./headings.ts";

test("headings lose their numbers and markers, and unsuitable ones are left out", () => {
  expect(pickHeadings(["2.1 Getting **started**", "42", "x", "y".repeat(80)])).toEqual([
    "Getting started",
  ]);
  expect(pickHeadings(["６．応募方法"])).toEqual(["応募方法"]);
});

test("they come from all parts of a document", () => {
  const all = Array.from({ length: 10 }, (_, at) => `Chapter ${"abcdefghij"[at]}`);
  expect(pickHeadings(all)).toEqual(["Chapter a", "Chapter f"]);
});

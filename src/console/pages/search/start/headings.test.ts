import { expect, test } from "vitest";
import { pickHeadings } from "./headings.ts";

test("headings lose their numbers and marks, and what makes no question is left out", () => {
  expect(pickHeadings(["2.1 Getting **started**", "42", "x", "y".repeat(80)])).toEqual([
    "Getting started",
  ]);
  expect(pickHeadings(["６．応募方法"])).toEqual(["応募方法"]);
});

test("they are taken from all over a document", () => {
  const all = Array.from({ length: 10 }, (_, at) => `Chapter ${"abcdefghij"[at]}`);
  expect(pickHeadings(all)).toEqual(["Chapter a", "Chapter f"]);
});

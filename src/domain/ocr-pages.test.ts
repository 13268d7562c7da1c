import { expect, test } from "vitest";
import type { PageReport } from "./document.ts";
import { isReadByOcr } from "./ocr-pages.ts";

const report = (method: PageReport["method"], page?: number): PageReport => ({
  place: page === undefined ? {} : { page },
  method,
  characters: 1,
});

test("only the pages of a passage count", () => {
  const pages = [report("text", 1), report("ocr", 2), report("text", 3)];
  expect(isReadByOcr(pages, 1)).toBe(false);
  expect(isReadByOcr(pages, 1, 2)).toBe(true);
  expect(isReadByOcr(pages, 3)).toBe(false);
});

test("a picture has no pages, only one report", () => {
  expect(isReadByOcr([report("ocr")])).toBe(true);
  expect(isReadByOcr([report("text")])).toBe(false);
});

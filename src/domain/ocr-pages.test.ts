import { expect, test } from "vitest";
import type { PageReport } from "./document.ts";
import { isReadByOcr, uncertainWords } from "./ocr-pages.ts";

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

test("the uncertain words of a passage are those inside it that are shown, five at most", () => {
  const text = "one two one three four five six seven";
  const uncertain = [...text.matchAll(/\S+/g)].map(
    ({ 0: word, index }) => [100 + index, 100 + index + word.length] as const,
  );
  const pages = [{ ...report("ocr", 1), uncertain: [[90, 95] as const, ...uncertain] }];
  expect(uncertainWords(pages, { text, start: 100 })).toEqual("one two three four five".split(" "));
  expect(uncertainWords(pages, { text, start: 100 }, "… six seven")).toEqual(["six", "seven"]);
  expect(uncertainWords([report("text", 1)], { text, start: 100 })).toEqual([]);
});

import { expect, test } from "vitest";
import { compact, fromQuote } from "./passage-text.ts";

test("headings and blank lines give way to the text", () => {
  expect(compact("## Behaviour\n\n### Feeding\n\nDucks eat.\n\n\nAnd swim.")).toBe(
    "Ducks eat.\nAnd swim.",
  );
});

test("a passage is shown from the line that holds the quote", () => {
  const content = `${"Before. ".repeat(40)}\nThe words. After.`;
  const at = content.indexOf("The words");
  const quotes = [{ start: 500 + at, end: 500 + at + 10 }];
  expect(fromQuote(content, { start: 500, quotes })).toBe("… The words. After.");
});

test("without a quote, or with one near the start, the passage is whole", () => {
  expect(fromQuote("Some text.", {})).toBe("Some text.");
  expect(fromQuote("Some text.", { start: 0, quotes: [{ start: 5, end: 9 }] })).toBe("Some text.");
});

import { expect, test } from "vitest";
import { citedText } from "./cited-text.ts";

const ROWS = "| City | People |\n| --- | --- |\n| Oslo | 709037 |\n| Bergen | 291940 |";

test("a table's row is shown with its column names", () => {
  const at = ROWS.indexOf("| Bergen");
  const location = {
    start: 100,
    quotes: [{ start: 100 + at, end: 100 + ROWS.length }],
    table: { header: ["City", "People"], cells: ["B3"] },
  };
  expect(citedText({ content: ROWS, location })).toBe("| City | People |\n| Bergen | 291940 |");
});

test("text starts with the line that the answer uses", () => {
  const content = "# Tides\n\nA long preface.\nThe moon lifts the sea.";
  const at = content.indexOf("moon");
  const location = { start: 7, quotes: [{ start: 7 + at, end: 7 + at + 4 }] };
  expect(citedText({ content, location })).toBe("… The moon lifts the sea.");
  expect(citedText({ content, location: {} })).toBe(content);
});

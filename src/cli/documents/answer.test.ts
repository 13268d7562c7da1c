import { expect, test } from "vitest";
import { boldIn, citedText, likelyWords } from "./answer.ts";

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

const bold = (words: string) => `<${words}>`;

test.each([
  ["one line", ["The pump lasts", "24 months."], "24 months", ["The pump lasts", "<24 months>."]],
  [
    "two lines",
    ["The pump lasts 24", "months."],
    "24 months",
    ["The pump lasts <24>", "<months>."],
  ],
  ["Japanese", ["保証期間は二", "年です。"], "二年", ["保証期間は<二>", "<年>です。"]],
  ["no words", ["The pump."], "", ["The pump."]],
  ["words that are not shown", ["The pump."], "24 months", ["The pump."]],
])("the likely words are bold: %s", (_, lines, words, expected) => {
  expect(boldIn(lines, words, bold)).toEqual(expected);
});

test("the likely words are those of the citation's span", () => {
  const location = { start: 100, span: { start: 106, end: 115 } };
  expect(likelyWords({ content: "Lasts 24 months.", location })).toBe("24 months");
});

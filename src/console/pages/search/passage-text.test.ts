import { expect, test } from "vitest";
import { cardText, compact, fromQuote, withoutFences } from "./passage-text.ts";

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

test("two tables stay two", () => {
  const tables = "| a |\n| --- |\n| 1 |\n\n| b |\n| --- |\n| 2 |";
  expect(compact(`${tables}\n\n\n`)).toBe(tables);
  expect(compact("Before.\n\n\n| a |\n| --- |")).toBe("Before.\n| a |\n| --- |");
});

test("a quoted row is shown below the header of its table", () => {
  const rows = Array.from({ length: 30 }, (_, at) => `| city ${at} | ${at}000 |\n`);
  const head = "| City | Population |\n| --- | --- |\n";
  const content = `Cities of the world.\n\n${head}${rows.join("")}`;
  const at = content.indexOf("city 20");
  const quotes = [{ start: at, end: at + 7 }];
  expect(fromQuote(content, { start: 0, quotes })).toBe(head + rows.slice(20).join(""));
});

test.each([
  ["| a |\n| --- |\n| 1 |\n\n\nAfter.\n\nMore."],
  ["| a |\n| --- |\n| 1 |\nAfter.\nMore."],
])("text after a table is not one of its rows: %j", (text) => {
  expect(compact(text)).toBe("| a |\n| --- |\n| 1 |\n\nAfter.\nMore.");
});

test.each([
  ["| a |\n| --- |\n| 1 |\n\n## Heading\n\nAfter."],
  ["| a |\n| --- |\n| 1 |\n## Heading\nAfter."],
])("a heading after a table is not one of its rows: %j", (text) => {
  expect(compact(text)).toBe("| a |\n| --- |\n| 1 |\n\n**Heading**\nAfter.");
});

test("a later heading stays: what follows is not about the first", () => {
  expect(compact("# Policy (superseded)\n\nTwo days.\n\n# Policy\n\nFour days.")).toBe(
    "Two days.\n**Policy**\nFour days.",
  );
});

test("a quote from the line below a header is shown with the header", () => {
  const table = "| City | Population |\n| --- | --- |\n| Oslo | 1 |\n";
  const content = `${"Before. ".repeat(20)}\n\n${table}`;
  const at = content.indexOf("| ---");
  expect(fromQuote(content, { start: 0, quotes: [{ start: at, end: at + 30 }] })).toBe(table);
});

test("a citation's card shows the row of a table with its header and cells", () => {
  const content = "| City | Rent | |\n| --- | --- | --- |\n| Lisbon | €18,400 | |";
  const at = content.lastIndexOf("| Lisbon");
  const place = { start: 100, quotes: [{ start: 100 + at, end: 100 + content.length }] };
  const table = { header: ["City", "Rent", ""], cells: ["B2"] };
  expect(cardText(content, { ...place, table })).toBe("B2 · City: Lisbon; Rent: €18,400");
  expect(cardText(content, { ...place, table: { header: ["Rent"], cells: ["B2"] } })).toBe(
    "B2 · Rent · Lisbon; €18,400",
  );
  expect(cardText("Some text. ", place)).toBe("Some text.");
});

test("a quoted example is shown without its fences", () => {
  const text = "Run it:\n```sh\nnpm start\n```\n[1] and wait. [2]";
  expect(withoutFences(text)).toBe("Run it:\nnpm start [1] and wait. [2]");
  expect(withoutFences("Plain `code` [1]")).toBe("Plain `code` [1]");
});

import { expect, test } from "vitest";
import { toHtml } from "./to-html.ts";

/** The rows as shown, starting with the header. */
function rowsOf(text: string): readonly string[] {
  const html = toHtml(text, { authored: true, offset: 0 });
  return [...html.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, row = ""]) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)]
      .map(([, cell = ""]) => cell.replace(/<[^>]+>/g, ""))
      .join("|"),
  );
}

test.each([
  ["a whole table", "| a | b |\n| - | - |\n| 1 | 2 |", ["a|b", "1|2"]],
  ["rows below the header", "| 1 | 2 |\n| 3 | 4 |", ["|", "1|2", "3|4"]],
  ["the line below the header", "| - | - |\n| 1 | 2 |", ["|", "1|2"]],
  ["the end of a header", "b |\n| - | - |\n| 1 | 2 |", ["|b", "1|2"]],
  ["the end of a row", "2 |\n| 3 | 4 |", ["|", "|2", "3|4"]],
  ["one row", "| 1 | 2 |", ["|", "1|2"]],
])("a table that starts with %s is shown as one", (_, text, rows) => {
  expect(rowsOf(text)).toEqual(rows);
});

test("positions count from the text's own start, whatever is added before it", () => {
  const html = toHtml("| 1 | two |\n| 3 | 4 |", { authored: true, offset: 100 });
  expect(html).toContain('data-at="106" data-size="3">two<');
});

test("text with a vertical bar is not a table", () => {
  expect(rowsOf("Either | or.\nMore.")).toEqual([]);
});

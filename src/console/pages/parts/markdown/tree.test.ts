import { expect, test } from "vitest";
import { type Piece, type TreeOptions, toTree } from "./tree.ts";

const OPTIONS: TreeOptions = { authored: true, offset: 0, level: 3, tableName: "Table" };

function all(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.flatMap((each) => ("name" in each ? [each, ...all(each.children)] : [each]));
}

const textOf = (piece: Piece) =>
  all([piece])
    .map((each) => ("text" in each ? each.text : ""))
    .join("");

/** The rows as shown, starting with the header. */
function rowsOf(text: string): readonly string[] {
  return all(toTree(text, OPTIONS)).flatMap((each) =>
    "name" in each && each.name === "tr" ? [each.children.map(textOf).join("|")] : [],
  );
}

test.each([
  ["a whole table", "| a | b |\n| - | - |\n| 1 | 2 |", ["a|b", "1|2"]],
  ["rows below the header", "| 1 | 2 |\n| 3 | 4 |", ["1|2", "3|4"]],
  ["the line below the header", "| - | - |\n| 1 | 2 |", ["1|2"]],
  ["the end of a header", "b |\n| - | - |\n| 1 | 2 |", ["|b", "1|2"]],
  ["the end of a row", "2 |\n| 3 | 4 |", ["|2", "3|4"]],
  ["one row", "| 1 | 2 |", ["1|2"]],
])("a table that starts with %s is shown as one", (_, text, rows) => {
  expect(rowsOf(text)).toEqual(rows);
});

test("positions count from the text's own start, whatever is added before it", () => {
  const pieces = all(toTree("| 1 | two |\n| 3 | 4 |", { ...OPTIONS, offset: 100 }));
  expect(pieces).toContainEqual({ text: "two", at: 106 });
});

test("text with a vertical bar is not a table", () => {
  expect(rowsOf("Either | or.\nMore.")).toEqual([]);
});

test("code, quotes and lists know where their words are", () => {
  const source = "> a quote\n\n- one `b` two\n  - deep\n\n```ts\nconst c = 1;\n```\n";
  for (const piece of all(toTree(source, OPTIONS))) {
    if (!("text" in piece) || piece.at === undefined) continue;
    expect(source.slice(piece.at, piece.at + piece.text.length)).toBe(piece.text);
  }
  const placed = all(toTree(source, OPTIONS)).filter(
    (each) => "at" in each && each.at !== undefined,
  );
  expect(placed.map(textOf).join(" ")).toBe("a quote one  b  two deep const  c =  1 ;");
});

test("tags are opened and closed without their attributes, however they are nested", () => {
  const [paragraph, more] = toTree("a <b onclick=x>bold</b> <i>c\n\nd</b>", OPTIONS);
  expect(textOf(paragraph as Piece)).toBe("a bold c");
  expect(paragraph).toMatchObject({
    children: [{}, { name: "b", attributes: {} }, {}, { name: "i" }],
  });
  expect(textOf(more as Piece)).toBe("d");
  expect(
    textOf({ name: "", attributes: {}, children: [...toTree("<b>".repeat(50_000), OPTIONS)] }),
  ).toBe("");
});

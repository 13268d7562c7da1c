import { describe, expect, test } from "vitest";
import { readHere } from "../../../test/support/read-here.ts";
import { toGrid } from "./grid.ts";
import { shapeOf } from "./shape.ts";

const rows = (text: string) => text.split("\n").map((line) => line.split(",").map((c) => c.trim()));
const fields = (text: string) => {
  const shape = shapeOf(rows(text), undefined);
  return shape.kind === "form" ? shape.fields : shape.headerRows;
};

describe("a form", () => {
  test.each([
    ["has labels with colons", "Name:, Ann\nBorn:, 3 May", ["Name: Ann", "Born: 3 May"]],
    [
      "has pairs side by side",
      "Name:, Ann, Born:, 1980\nCity:, Oslo, Zip:, 0150",
      ["Name: Ann", "Born: 1980", "City: Oslo", "Zip: 0150"],
    ],
    [
      "has values in the label's cell",
      "Name: Ann, Born: 1980\nCity:, Oslo\nZip:,",
      ["Name: Ann", "Born: 1980", "City: Oslo", "Zip:"],
    ],
    [
      "has numbers beside its labels",
      "Principal, 100000\nRate, 0.05",
      ["Principal: 100000", "Rate: 0.05"],
    ],
    ["is Japanese", "氏名：, 山田\n住所：, 東京", ["氏名： 山田", "住所： 東京"]],
  ])("%s", (_, text, found) => {
    expect(fields(text)).toEqual(found);
  });
});

describe("a table of data", () => {
  test.each([
    ["has a header of words", "Name, Age\nAnn, 40\nBo, 41", 1],
    ["has a header of years", "Region, 2023, 2024\nNorth, 1, 2", 1],
    ["has numbered columns", "Round, 1, 2, 3\nAnn, 7, 8, 9", 1],
    ["has a header although a word has a colon", "Ratio 1:2, Use\nx, y\nz, w", 1],
    ["has no header", "4, 7500, 10000\n5, 8000, 9000", 0],
    ["has names and no header", "North, 7, 12\nSouth, 9, 14", 0],
    ["has groups above its columns", "Region, Sales,\n, Q1, Q2\nNorth, 1, 2", 2],
  ])("%s", (_, text, headerRows) => {
    expect(fields(text)).toBe(headerRows);
  });

  test("has the header that its file marks", () => {
    expect(shapeOf(rows("1, 2\n3, 4"), 1)).toEqual({ kind: "data", headerRows: 1 });
  });
});

test("labels over rows are repeated, but do not make a row", () => {
  const grid = toGrid([
    [{ text: "North", rows: 3 }, { text: "1" }],
    [{ text: "2" }],
    [{ text: "" }],
    [{ text: "South", columns: 2 }, { text: "3" }],
    [{ text: "", continues: true, columns: 2 }, { text: "4" }],
  ]);
  expect(grid).toEqual([
    ["North", "1"],
    ["North", "2"],
    [],
    ["South", "", "3"],
    ["South", "", "4"],
  ]);
});

test.each([
  ["a.html", "<table><tr><th>Name</th><td>Ann</td></tr><tr><th>Age</th><td>40</td></tr></table>"],
  ["a.rtf", "{\\rtf1 Name:\\cell Ann\\cell\\row Age:\\cell 40\\cell\\row}"],
])("a form in %s is read as labels and values", async (name, content) => {
  expect((await readHere(name, content)).text).toBe("- Name: Ann\n- Age: 40");
});

test("data without a header gets an empty one", async () => {
  const page = "<table><tr><td>4</td><td>75</td></tr><tr><td>5</td><td>80</td></tr></table>";
  const { text, blocks } = await readHere("a.html", page);
  expect(text).toBe("|  |  |\n| --- | --- |\n| 4 | 75 |\n| 5 | 80 |");
  expect(blocks[0]?.headerEnd).toBeUndefined();
});

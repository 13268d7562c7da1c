import type { LayoutBlock, ParsedPage } from "@llamaindex/liteparse";
import { expect, test } from "vitest";
import { withTables } from "./tables.ts";

const LETTER = 5;

/** Each line is its cells, each cell its left edge and words; lines are 14 points apart. */
function pageOf(
  lines: readonly (readonly (readonly [number, string])[])[],
  more: Partial<ParsedPage> = {},
): ParsedPage {
  const words = lines.flatMap((cells, line) =>
    cells.flatMap(([left, text]) => {
      let x = left;
      return text.split(" ").map((word) => {
        const box = { text: word, x, y: line * 14, width: word.length * LETTER, height: 10 };
        x += box.width + 2.5;
        return box;
      });
    }),
  );
  return { width: 600, height: 800, textItems: words, ...more } as unknown as ParsedPage;
}

const text = (lines: number): LayoutBlock =>
  ({
    kind: "paragraph",
    text: "…",
    bbox: { x: 0, y: 0, width: 100, height: lines * 14 },
  }) as LayoutBlock;
const cellsOf = ([block]: readonly LayoutBlock[]) =>
  block?.kind === "table"
    ? [block.header, ...(block.rows ?? [])].map((row) => row?.map((cell) => cell.text))
    : undefined;

test("a table without rules is found, and columns that are close together are parted", () => {
  const row = (season: string, tier: string, place: string) =>
    [
      [0, season],
      [60, tier],
      [60 + tier.length * LETTER + 5, place],
    ] as const;
  const lines = [
    row("Season", "Tier", "Place"),
    row("1981/82", "4444", "17th"),
    row("1982/83", "5555", "2nd"),
    row("1983/84", "6666", "3rd"),
    row("1984/85", "6666", "1st"),
  ];
  expect(cellsOf(withTables([text(5)], pageOf(lines.map((line) => [...line]))))).toEqual([
    ["Season", "Tier", "Place"],
    ["1981/82", "4444", "17th"],
    ["1982/83", "5555", "2nd"],
    ["1983/84", "6666", "3rd"],
    ["1984/85", "6666", "1st"],
  ]);
});

test("a line that goes on in a cell belongs to the row above, if rules say so", () => {
  const lines = [
    [
      [0, "Name"],
      [100, "Place"],
      [200, "Sum"],
    ],
    [
      [0, "Ann"],
      [100, "Old harbour"],
      [200, "12"],
    ],
    [[100, "building"]],
    [
      [0, "Bo"],
      [100, "Mill"],
      [200, "7"],
    ],
    [
      [0, "Cy"],
      [100, "Mill"],
      [200, "9"],
    ],
  ] as const;
  const rules = [12, 40, 54].map((y) => ({
    x1: 0,
    x2: 300,
    y1: y,
    y2: y,
    stroke: true,
    fill: false,
  }));
  const page = pageOf(lines, { vectorGraphics: { shapes: [], lines: rules } });
  expect(cellsOf(withTables([text(5)], page))?.[1]).toEqual(["Ann", "Old harbour building", "12"]);
});

test("columns of prose, and lines of text, are no table", () => {
  const prose = "the harvest of apples begins early in autumn";
  const columns = Array.from(
    { length: 8 },
    () =>
      [
        [0, prose],
        [240, prose],
        [480, prose],
      ] as const,
  );
  expect(withTables([text(8)], pageOf(columns))[0]?.kind).toBe("paragraph");
  const lines = Array.from({ length: 8 }, () => [[0, prose]] as const);
  expect(withTables([text(8)], pageOf(lines))[0]?.kind).toBe("paragraph");
});

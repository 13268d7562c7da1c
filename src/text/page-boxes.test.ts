import { expect, test } from "vitest";
import { boxesOfQuery, boxesOfText, joinParagraphs, type PageWord } from "./page-boxes.ts";

/** Lays out words line by line; each letter is 100 wide, and lines are 300 apart. */
function page(...lines: readonly string[]): readonly PageWord[] {
  return lines.flatMap((line, row) => {
    let x = 0;
    return line.split(" ").map((text): PageWord => {
      const word: PageWord = [text, x, row * 300, text.length * 100, 200];
      x += (text.length + 1) * 100;
      return word;
    });
  });
}

test("a text over two lines is two boxes, from its first to its last letter", () => {
  const words = page("Intro. The processor first", "confirms the address. End");
  const boxes = boxesOfText(words, "The **processor** first confirms the address.");
  expect(boxes).toEqual([
    { x: 700, y: 0, width: 1_900, height: 200 },
    { x: 0, y: 300, width: 2_100, height: 200 },
  ]);
});

test("hyphenated words, and columns read in another order, are found", () => {
  const words = page(
    "a second column of words here",
    "the very first column is this",
    "hyphen- ated words",
  );
  const text = "The very first column is this\n\nA second column of words here hyphenated words";
  expect(boxesOfText(words, text).map(({ y }) => y)).toEqual([300, 0, 600]);
});

test("part of a line without spaces is part of its box", () => {
  const words: readonly PageWord[] = [["目標復旧時点は一時間です", 0, 0, 1_200, 100]];
  expect(boxesOfText(words, "復旧時点は一時間")).toEqual([
    { x: 200, y: 0, width: 800, height: 100 },
  ]);
  const [found] = boxesOfQuery(words, "復旧");
  expect(found?.x).toBeCloseTo(200);
  expect(found?.width).toBeCloseTo(200);
});

test("vertical writing is cut from top to bottom", () => {
  const words: readonly PageWord[] = [["縦書きの文章", 0, 0, 100, 600]];
  expect(boxesOfText(words, "書きの文章")).toEqual([{ x: 0, y: 100, width: 100, height: 500 }]);
});

test("misread characters are left out, the rest is marked", () => {
  const words = page("The quick brovvn fox jumps over the lazy dog");
  const boxes = boxesOfText(words, "The quick brown fox jumps over the lazy dog");
  expect(boxes.length).toBeGreaterThan(0);
  expect(boxes.at(-1)?.x).toBeGreaterThan(1_000);
});

test("text that is not on the page is not marked", () => {
  expect(boxesOfText(page("Something else entirely"), "The processor first confirms")).toEqual([]);
  expect(boxesOfText(page("Something"), "—")).toEqual([]);
});

test("the lines of a paragraph become one box, another column stays apart", () => {
  const lines = [
    { x: 0, y: 0, width: 900, height: 100 },
    { x: 0, y: 130, width: 400, height: 100 },
    { x: 2_000, y: 0, width: 900, height: 100 },
  ];
  expect(joinParagraphs(lines)).toEqual([{ x: 0, y: 0, width: 900, height: 230 }, lines[2]]);
});

import { expect, test } from "vitest";
import { describeLeftOut } from "./left-out.ts";

const NOTHING = { archives: [], others: 0, ignored: 0, hidden: 0, links: 0, empty: 0 };

test.each([
  [{ archives: [], others: 0 }, undefined],
  [{ archives: [], others: 1 }, "Left out: 1 file of another format"],
  [
    { archives: ["a.zip"], others: 2 },
    "Left out: 1 ZIP archive (add it by name: a.zip), 2 files of other formats",
  ],
  [
    { archives: ["a.zip", "b.zip", "c.zip", "d.zip"], others: 0 },
    "Left out: 4 ZIP archives (add them by name: a.zip, b.zip, c.zip, …)",
  ],
  [
    { ignored: 3, hidden: 2, links: 1, empty: 1 },
    "Left out: 3 ignored (.gitignore, .knowledgeignore), 2 hidden or private, 1 symbolic link, 1 empty file",
  ],
])("%j reads %j", (leftOut, expected) => {
  expect(describeLeftOut({ ...NOTHING, ...leftOut })).toBe(expected);
});

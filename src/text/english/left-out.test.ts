import { expect, test } from "vitest";
import { describeLeftOut } from "./left-out.ts";

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
])("%j reads %j", (leftOut, expected) => {
  expect(describeLeftOut(leftOut)).toBe(expected);
});

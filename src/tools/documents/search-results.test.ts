import { expect, test } from "vitest";
import { snippet } from "./search-results.ts";

const filler = "word ".repeat(400);

test("text that fits is unchanged", () => {
  expect(snippet("short text", "text", 100)).toBe("short text");
});

test("the snippet contains the query's words within its maximum size", () => {
  const cut = snippet(`${filler}the needle lies here ${filler}`, "where is the needle", 200);
  expect(cut).toContain("needle lies here");
  expect(cut.length).toBeLessThanOrEqual(200);
  expect(cut).toMatch(/^….*…$/s);
});

test("without any of the words the beginning is shown", () => {
  expect(snippet(`Start ${filler}`, "absent", 100)).toMatch(/^Start .*…$/);
});

test("no surrogate pair is cut", () => {
  const cut = snippet("😀".repeat(500), "absent", 101);
  expect(cut.isWellFormed()).toBe(true);
});

test("Japanese text is cut around the query's words", () => {
  const around = "これは関係のない文章です。".repeat(80);
  const cut = snippet(`${around}有給休暇は半年後に付与されます。${around}`, "有給休暇の付与", 120);
  expect(cut).toContain("有給休暇は半年後に付与されます");
});

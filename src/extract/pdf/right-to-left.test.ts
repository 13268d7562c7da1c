import { expect, test } from "vitest";
import { isRightToLeft, toReadingOrder } from "./right-to-left.ts";

test("words drawn from left to right are put in the order in which they are read", () => {
  expect(toReadingOrder("ايران کالای بورس شرکت")).toBe("شرکت بورس کالای ايران");
  expect(toReadingOrder("הגדולה המנורה את הדליק")).toBe("הדליק את המנורה הגדולה");
});

test("words of another script keep their order among themselves", () => {
  expect(toReadingOrder("الإنتاجية Visual Studio باستخدام")).toBe(
    "باستخدام Visual Studio الإنتاجية",
  );
});

test("a mark at the left of a word is its end", () => {
  expect(toReadingOrder("الحكومة ،وعليه")).toBe("وعليه، الحكومة");
});

test.each([
  ["اإلنتاجية", "الإنتاجية"],
  ["واألدوات", "والأدوات"],
  ["کاالی", "کالای"],
  ["خالل", "خالل"],
])("lam and alef of %s, drawn as one sign, are put right where that is certain", (drawn, read) => {
  expect(toReadingOrder(drawn)).toBe(read);
});

test("a line that is mostly of another script stays as it is", () => {
  const line = "The word سلام means peace";
  expect(isRightToLeft(line)).toBe(false);
  expect(toReadingOrder(line)).toBe(line);
});

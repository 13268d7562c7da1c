import { expect, test } from "vitest";
import { readNumber } from "./options.ts";

const limit = (given: string | undefined) =>
  readNumber({ limit: given }, "limit", { least: 1, most: 50 });

test("a number in range is accepted, and none stays none", () => {
  expect(limit("7")).toBe(7);
  expect(limit(undefined)).toBeUndefined();
  expect(readNumber({ x: "0.5" }, "x", { least: 0, most: 1, whole: false })).toBe(0.5);
});

test.each(["abc", "", " ", "0", "51", "1.5", "NaN", "Infinity"])(
  "%j is refused with the option's name",
  (given) => {
    expect(() => limit(given)).toThrow("--limit takes a whole number from 1 to 50.");
  },
);

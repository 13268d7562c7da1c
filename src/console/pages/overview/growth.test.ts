import { expect, test } from "vitest";
import { growthByDay } from "./growth.ts";

const at = (day: number, hour = 12) => new Date(2026, 2, day, hour).toISOString();
const NOW = new Date(2026, 2, 10, 15).getTime();

test("a day counts what was added until its end, and today is the last", () => {
  const days = growthByDay([at(8), at(7, 1), at(8, 23), at(10)], NOW);
  expect(days.map(({ count }) => count)).toEqual([1, 3, 3, 4]);
  expect(days.at(-1)?.at).toBe(new Date(2026, 2, 10).getTime());
});

test("a single day, or none, shows no growth", () => {
  expect(growthByDay([at(10)], NOW)).toHaveLength(1);
  expect(growthByDay([], NOW)).toEqual([]);
});

test("at most ninety days are shown", () => {
  expect(growthByDay(["2020-01-01T00:00:00Z"], NOW)).toHaveLength(90);
});

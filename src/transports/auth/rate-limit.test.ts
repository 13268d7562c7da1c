import { expect, test } from "vitest";
import { openPace } from "./rate-limit.ts";

test("a minute's allowance may be used at once, then comes back steadily", () => {
  let time = 0;
  const pace = openPace(() => time);
  expect(Array.from({ length: 60 }, () => pace.take("a", 60))).toEqual(Array(60).fill(0));
  expect(pace.take("a", 60)).toBeGreaterThan(0);
  time = 1;
  expect(pace.take("a", 60)).toBe(0);
  expect(pace.take("a", 60)).toBeGreaterThan(0);
});

test("clients without number are forgotten, the longest unused first", () => {
  let time = 0;
  const pace = openPace(() => time);
  expect(pace.take("first", 1)).toBe(0);
  expect(pace.take("first", 1)).toBeGreaterThan(0);
  for (let client = 0; client < 101_000; client++) {
    time += 0.0001;
    pace.take(`c${client}`, 1);
  }
  expect(pace.take("c100999", 1)).toBeGreaterThan(0);
  expect(pace.take("first", 1)).toBe(0);
});

test("clients do not share their allowance", () => {
  const pace = openPace(() => 0);
  expect(pace.take("a", 1)).toBe(0);
  expect(pace.take("a", 1)).toBeGreaterThan(0);
  expect(pace.take("b", 1)).toBe(0);
});

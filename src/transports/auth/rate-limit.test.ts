import { expect, test } from "vitest";
import { openRateLimit } from "./rate-limit.ts";

test("a minute's allowance may be used at once, then refills steadily", () => {
  let time = 0;
  const rateLimit = openRateLimit(() => time);
  expect(Array.from({ length: 60 }, () => rateLimit.take("a", 60))).toEqual(Array(60).fill(0));
  expect(rateLimit.take("a", 60)).toBeGreaterThan(0);
  time = 1;
  expect(rateLimit.take("a", 60)).toBe(0);
  expect(rateLimit.take("a", 60)).toBeGreaterThan(0);
});

test("among countless clients the longest unused are forgotten first", () => {
  let time = 0;
  const rateLimit = openRateLimit(() => time);
  expect(rateLimit.take("first", 1)).toBe(0);
  expect(rateLimit.take("first", 1)).toBeGreaterThan(0);
  for (let client = 0; client < 101_000; client++) {
    time += 0.0001;
    rateLimit.take(`c${client}`, 1);
  }
  expect(rateLimit.take("c100999", 1)).toBeGreaterThan(0);
  expect(rateLimit.take("first", 1)).toBe(0);
});

test("clients do not share their allowance", () => {
  const rateLimit = openRateLimit(() => 0);
  expect(rateLimit.take("a", 1)).toBe(0);
  expect(rateLimit.take("a", 1)).toBeGreaterThan(0);
  expect(rateLimit.take("b", 1)).toBe(0);
});

import { expect, test } from "vitest";
import { hitsOf } from "./hits.ts";

const far = " ".repeat(500);

test("words that are close together are one place", () => {
  const text = `The barometer and the anemometer.${far}Another barometer, another anemometer.`;
  const hits = hitsOf(text, "barometer anemometer");
  expect(hits.map(({ start, end }) => text.slice(start, end))).toEqual([
    "barometer and the anemometer",
    "barometer, another anemometer",
  ]);
});

test("a place with fewer than half of the words is left out", () => {
  const text = `barometer anemometer hygrometer${far}barometer`;
  expect(hitsOf(text, "barometer anemometer hygrometer")).toHaveLength(1);
});

test("the cited place is listed in order, and counted once", () => {
  const text = `barometer${far}barometer${far}barometer`;
  const cited = { start: text.indexOf("barometer", 9), end: text.indexOf("barometer", 9) + 9 };
  const hits = hitsOf(text, "barometer", cited);
  expect(hits).toHaveLength(3);
  expect(hits[1]).toBe(cited);
});

test("a match close to the cited place is a separate place", () => {
  const text = "The barometer is old. The barometer is new. The barometer is lost.";
  const cited = { start: 22, end: 43 };
  const hits = hitsOf(text, "barometer", cited);
  expect(hits.map(({ start, end }) => text.slice(start, end))).toEqual([
    "barometer",
    "The barometer is new.",
    "barometer",
  ]);
});

test("without a query there is only the cited place, or none", () => {
  expect(hitsOf("text", "", { start: 0, end: 2 })).toEqual([{ start: 0, end: 2 }]);
  expect(hitsOf("text", "")).toEqual([]);
});

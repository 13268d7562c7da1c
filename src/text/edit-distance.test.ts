import fc from "fast-check";
import { expect, test } from "vitest";
import { editDistance } from "./edit-distance.ts";

/** The definition, without a table. */
function plainDistance(a: string, b: string): number {
  if (a === "" || b === "") return a.length + b.length;
  const [restA, restB] = [a.slice(1), b.slice(1)];
  const steps = [
    plainDistance(restA, b) + 1,
    plainDistance(a, restB) + 1,
    plainDistance(restA, restB) + (a[0] === b[0] ? 0 : 1),
  ];
  if (a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0]) {
    steps.push(plainDistance(a.slice(2), b.slice(2)) + 1);
  }
  return Math.min(...steps);
}

test("the distance matches its definition", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 6 });
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(editDistance(a, b)).toBe(plainDistance(a, b));
    }),
    { numRuns: 200 },
  );
});

test.each([
  ["deployment", "deploymnet", 1],
  ["token", "tokens", 1],
  ["receive", "recieve", 1],
  ["kubernetes", "kubernets", 1],
  ["alpha", "omega", 4],
])("%s and %s are %i apart", (a, b, slips) => {
  expect(editDistance(a, b)).toBe(slips);
});

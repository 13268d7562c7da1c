import fc from "fast-check";
import { expect, test } from "vitest";
import { framingOf } from "./framing.ts";

const share = fc.double({ min: 0, max: 1, noNaN: true });
const side = fc.double({ min: 0.5, max: 200_000, noNaN: true });
const page = fc.record({ width: side, height: side });
const mark = fc
  .tuple(share, share, share, share)
  .map(([x, y, width, height]) => ({ x, y, width: (1 - x) * width, height: (1 - y) * height }));

test("every mark lies inside the part, and the part inside the page", () => {
  fc.assert(
    fc.property(page, fc.array(mark, { minLength: 1, maxLength: 5 }), (sides, marks) => {
      const { part } = framingOf(sides, marks);
      const isInside = (inner: typeof part, outer: typeof part) =>
        inner.x >= outer.x - 1e-9 &&
        inner.y >= outer.y - 1e-9 &&
        inner.x + inner.width <= outer.x + outer.width + 1e-9 &&
        inner.y + inner.height <= outer.y + outer.height + 1e-9;
      return (
        isInside(part, { x: 0, y: 0, width: 1, height: 1 }) &&
        marks.every((each) => isInside(each, part))
      );
    }),
  );
});

test("an image stays small, whatever the page's size", () => {
  fc.assert(
    fc.property(page, fc.array(mark, { maxLength: 3 }), (sides, marks) => {
      const { part, scale } = framingOf(sides, marks);
      const [width, height] = [part.width * sides.width, part.height * sides.height];
      return width * height * scale ** 2 <= 1_151_000 && Math.max(width, height) * scale <= 1_400.1;
    }),
  );
});

test("a page without marks is shown whole", () => {
  const { part, scale } = framingOf({ width: 595, height: 842 }, []);
  expect(part).toEqual({ x: 0, y: 0, width: 1, height: 1 });
  expect(842 * scale).toBeGreaterThan(1_200);
});

test("one word is shown with the lines around it, and its letters are large", () => {
  const word = { x: 0.4, y: 0.5, width: 0.1, height: 0.014 };
  const { part, scale } = framingOf({ width: 595, height: 842 }, [word]);
  expect(part.height).toBeLessThan(0.5);
  expect(part.height).toBeGreaterThan(0.2);
  expect(word.height * 842 * scale).toBeCloseTo(22);
});

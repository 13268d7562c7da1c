import { expect, test } from "vitest";
import { Cache } from "./cache.ts";

test("a cache stays within its size and keeps what is used", () => {
  const cache = new Cache<number, string>(100);
  for (let key = 0; key < 1_000; key++) {
    cache.set(key, `value ${key}`);
    expect(cache.size).toBeLessThanOrEqual(100);
    expect(cache.get(key)).toBe(`value ${key}`);
    expect(cache.get(0)).toBe("value 0");
  }
  expect(cache.get(999)).toBe("value 999");
  expect(cache.get(900)).toBeUndefined();
});

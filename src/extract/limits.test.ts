import { describe, expect, test } from "vitest";
import { allowedMs, DEFAULT_LIMITS } from "./limits.ts";

const { computeMs } = DEFAULT_LIMITS;
/** The time that one more reading by OCR gives a file. */
const earned = (bytesPerPage: number, pages: number) => {
  const file = { sizeBytes: bytesPerPage * pages, pages };
  const allowed = (readings: number) => allowedMs({ ...file, readings }, computeMs);
  return allowed(1) - allowed(0);
};

describe("the time for reading a file", () => {
  test.each([50, 165, 400, 656])("does not grow with pages of %i bytes", (bytes) => {
    for (const pages of [100, 5_000, 20_000, 100_000])
      expect(earned(bytes, pages)).toBeLessThan(100);
  });

  test.each([2_500, 5_000, 500_000])("is enough for scans of %i bytes per page", (bytes) => {
    for (const pages of [1, 100, 5_000]) expect(earned(bytes, pages)).toBeGreaterThan(1_000);
  });
});

import { expect, test } from "vitest";
import { readSettled } from "./index-snapshot.ts";

test.each([
  [0, "resolves"],
  [1, "resolves"],
  [9, "resolves"],
  [10, "rejects"],
  [1_000, "rejects"],
] as const)("a read during %i merges in a row %s", async (merges, outcome) => {
  let reads = 0;
  const reading = readSettled(async () => (reads++ < merges ? undefined : "all of it"));
  if (outcome === "resolves") expect(await reading).toBe("all of it");
  else await expect(reading).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
});

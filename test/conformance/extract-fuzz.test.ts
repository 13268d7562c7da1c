import { afterAll, expect, test } from "vitest";
import { mutate } from "../../stress/fuzz/mutate.ts";
import { openRandom } from "../../stress/fuzz/random.ts";
import { extractSamples } from "../fixtures/extract-samples.ts";
import { tempExtract } from "../support/temp-extract.ts";

const extract = await tempExtract();
afterAll(() => extract.close());

// The long run, with pictures, is `npm run fuzz:extract`.
test("damaged files give text or an error, never a crash", async () => {
  const random = openRandom(7);
  for (const { format, bytes, method } of await extractSamples()) {
    if (method !== "text_extraction") continue;
    for (let round = 0; round < 20; round += 1) {
      const damaged = mutate(bytes, random);
      const outcome = await extract.read(`x.${format}`, damaged).catch((error: unknown) => error);
      if (!(outcome instanceof Error)) continue;
      expect(outcome).toMatchObject({ name: "KnowledgeError" });
      expect(outcome.message).not.toContain("crashed its reader");
    }
  }
});

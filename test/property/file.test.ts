import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openKbFile } from "../../src/kbfile/kbfile.ts";
import { page } from "../../src/tools/file/get-kb-content.ts";
import { silentLog } from "../support/silent-log.ts";
import { tempFolder } from "../support/temp-folder.ts";

const text = fc.string({ unit: "binary", maxLength: 200 });
const log = silentLog();

test("pages that follow each other join to the whole text", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 2, max: 30 }), (whole, length) => {
      let joined = "";
      let next: number | undefined = 0;
      while (next !== undefined) {
        const part: ReturnType<typeof page> = page(whole, next, length);
        expect(part.contentLength).toBe(part.content.length);
        expect(part.offset).toBe(joined.length);
        joined += part.content;
        next = "nextOffset" in part ? part.nextOffset : undefined;
      }
      expect(joined).toBe(whole);
    }),
  );
});

test("pages at fixed steps join to the whole text too", () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 30 }), (whole, length) => {
      let joined = "";
      for (let offset = 0; offset < whole.length; offset += length) {
        joined += page(whole, offset, length).content;
      }
      expect(joined).toBe(whole);
    }),
  );
});

test("no page of well-formed text cuts a surrogate pair", () => {
  fc.assert(
    fc.property(text, fc.nat(250), fc.integer({ min: 1, max: 250 }), (whole, offset, length) => {
      fc.pre(whole.isWellFormed());
      expect(page(whole, offset, length).content.isWellFormed()).toBe(true);
    }),
  );
});

test("bytes load if and only if they are UTF-8, and are returned unchanged", async () => {
  const folder = tempFolder("property");
  const path = join(folder, "kb.txt");
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    text.map((value) => new TextEncoder().encode(value)),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (given) => {
      await writeFile(path, given);
      const kbFile = openKbFile({ path, log });
      await kbFile.loaded;
      const state = kbFile.state();
      const valid = Buffer.from(Buffer.from(given).toString("utf8")).equals(Buffer.from(given));
      expect(state.kind).toBe(valid ? "loaded" : "failed");
      if (state.kind === "loaded") {
        expect(Buffer.from(state.content)).toEqual(Buffer.from(given));
        expect(state.sizeBytes).toBe(given.length);
      }
    }),
    { numRuns: 200 },
  );
  await rm(folder, { recursive: true, force: true });
});

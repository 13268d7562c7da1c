// The requirements of every format's reader.
import { beforeAll, describe, expect, test } from "vitest";
import { chunk } from "../../src/chunk/chunk.ts";
import type { ExtractedDocument } from "../../src/domain/document.ts";
import type { Sample } from "../fixtures/extract-samples.ts";
import type { TempExtract } from "../support/temp-extract.ts";

const INVISIBLE = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;

export function extractSuite(sample: Sample, extract: TempExtract): void {
  const { format, filename, bytes } = sample;
  describe(`extract: ${format}`, () => {
    let document: ExtractedDocument;
    beforeAll(async () => {
      document = await extract.read(filename, bytes);
    });

    test("content has the right position", () => {
      for (const { text, place } of sample.finds) {
        const here = document.blocks.filter(
          (block) => JSON.stringify(block.place) === JSON.stringify(place),
        );
        expect(
          here.map((block) => document.text.slice(block.start, block.end)).join("\n\n"),
        ).toContain(text);
      }
      expect(document).toMatchObject({ format, method: sample.method, warnings: [] });
    });

    test("blocks are spans of the text, in order, and leave nothing out", () => {
      let reached = 0;
      for (const block of document.blocks) {
        expect(document.text.slice(reached, block.start).trim()).toBe("");
        expect(block.start).toBeGreaterThanOrEqual(reached);
        expect(block.end).toBeGreaterThan(block.start);
        if (block.headerEnd !== undefined) expect(block.headerEnd).toBeLessThanOrEqual(block.end);
        reached = block.end;
      }
      expect(document.text.slice(reached).trim()).toBe("");
    });

    test("chunks are slices with the right position", () => {
      for (const made of chunk(document)) {
        expect(made.text).toBe(document.text.slice(made.start, made.end));
        expect(document.pages.map((page) => page.place)).toContainEqual(made.place);
      }
    });

    test("text is clean, and every page, slide or sheet is accounted for", () => {
      expect(document.text.normalize("NFC")).toBe(document.text);
      expect(document.text).not.toMatch(INVISIBLE);
      expect(document.text).not.toContain("\0");
      expect(document.text.isWellFormed()).toBe(true);
      expect(document.pages.length).toBeGreaterThan(0);
    });

    test("extraction is deterministic", async () => {
      expect(await extract.read(filename, bytes)).toEqual(document);
    });

    test("a truncated file is read or refused with a reason", async () => {
      const half = bytes.subarray(0, Math.floor(bytes.length / 2));
      const outcome = await extract.read(`half.${format}`, half).catch((error: unknown) => error);
      if (outcome instanceof Error)
        expect(outcome).toMatchObject({ name: "KnowledgeError", code: expect.any(String) });
      else expect(outcome).toHaveProperty("text");
    });

    test("a cancelled read ends as cancelled", async () => {
      const abort = new AbortController();
      const reading = extract.read(filename, bytes, { signal: abort.signal });
      abort.abort();
      await expect(reading).rejects.toMatchObject({ code: "CANCELLED" });
    });
  });
}

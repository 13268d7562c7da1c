import { expect, test } from "vitest";
import type { SearchResult } from "../../../tools/documents/contract.ts";
import { reasonsOf } from "./reasons.ts";

const hit = (vector?: number) =>
  ({
    filename: "ja-rpo-rto.png",
    chunk_text: "Backups are taken hourly.",
    metadata: { headings: ["Recovery"], score_parts: vector === undefined ? {} : { vector } },
  }) as unknown as SearchResult;

test("matches in the text, in headings and in the name are separate reasons", () => {
  expect(reasonsOf(hit(), "rpo of recovery backups and unicorns")).toEqual({
    words: ["recovery", "backups"],
    missing: ["rpo", "unicorns"],
    inName: ["rpo"],
    meaning: undefined,
  });
});

test.each([
  [0.7, "near"],
  [0.4, "related"],
  [0.1, "far"],
])("a cosine of %d is %s", (vector, meaning) => {
  expect(reasonsOf(hit(vector), "backups").meaning).toBe(meaning);
});

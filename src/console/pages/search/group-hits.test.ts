import { expect, test } from "vitest";
import type { SearchResult } from "../../../tools/documents/contract.ts";
import { groupHits } from "./group-hits.ts";

const hit = (document_id: string, strength: SearchResult["strength"], title?: string) =>
  ({
    document_id,
    filename: `${document_id}.md`,
    strength,
    metadata: { format: "md", ...(title === undefined ? {} : { title }) },
  }) as SearchResult;

test("hits are grouped by document, in the order of their best hits", () => {
  const { good, weak } = groupHits([
    hit("a", "strong", "Ants"),
    hit("b", "strong"),
    hit("a", "fair"),
    hit("c", "weak"),
    hit("b", "weak"),
  ]);
  expect(good.map(({ id, title, hits }) => [id, title, hits.length])).toEqual([
    ["a", "Ants", 2],
    ["b", undefined, 1],
  ]);
  expect(weak.map(({ id }) => id)).toEqual(["c", "b"]);
});

test("a title that repeats the name is left out", () => {
  expect(groupHits([hit("a", "fair", "a.md")]).good[0]?.title).toBeUndefined();
});

import { expect, test } from "vitest";
import type { SearchResult } from "../../../tools/documents/contract.ts";
import { optionsOf } from "./overlay-options.ts";
import type { Found } from "./use-found.ts";

const IDLE: Found = { state: "idle" };
const hit = (at: number, strength: string) =>
  ({
    chunk_id: `c${at}`,
    document_id: "d1",
    strength,
    metadata: { span: { start: at, end: at + 5 } },
  }) as unknown as SearchResult;
const found = (...results: readonly SearchResult[]) =>
  ({ state: "found", query: "duck", answer: { results } }) as unknown as Found;

test("before anything is typed it offers what was asked before", () => {
  expect(optionsOf("", IDLE, ["geese"])).toEqual([
    { kind: "recent", id: "recent-0", query: "geese" },
  ]);
});

test("a hit leads to its place, and all of them to the search page", () => {
  const options = optionsOf("duck feet", found(hit(7, "strong")), []);
  expect(options.map((option) => ("href" in option ? option.href : ""))).toEqual([
    "#/documents/d1?span=7-12&q=duck+feet",
    "#/search?q=duck+feet",
  ]);
});

test("weak hits are offered only if there are no others", () => {
  const kinds = (...strengths: readonly string[]) =>
    optionsOf("duck", found(...strengths.map((each, at) => hit(at, each))), []).length;
  expect(kinds("strong", "weak", "weak")).toBe(2);
  expect(kinds("weak", "weak")).toBe(3);
});

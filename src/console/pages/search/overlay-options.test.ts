import { expect, test } from "vitest";
import type { SearchResult } from "../../../tools/documents/contract.ts";
import { i18n } from "../state/language.ts";
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

const run = () => {};
const go = { id: "act-documents", icon: "file", text: "Go to Documents", run } as const;
const PINNED = "/search?q=Do+ducks+fly%3F&ask=1";
const OFFERED = {
  recent: ["geese"],
  pinned: [PINNED],
  commands: [go],
  asks: true,
  t: i18n("en").t,
};
const kindsOf = (query: string, given: Found) =>
  optionsOf(query, given, OFFERED).map(({ id }) => id.split("-", 1).join());

test("before anything is typed it offers what was pinned and asked before, then pages and actions", () => {
  expect(optionsOf("", IDLE, OFFERED)).toEqual([
    { id: "pinned-0", icon: "pin", text: "Do ducks fly?", href: PINNED },
    { id: "recent-0", icon: "clock", text: "geese", query: "geese" },
    go,
  ]);
});

test("a hit leads to its place; the rest asks, or shows all results", () => {
  const options = optionsOf("duck feet", found(hit(7, "strong")), OFFERED);
  expect(options.map((option) => ("href" in option ? option.href : ""))).toEqual([
    "/documents/d1?span=7-12&q=duck+feet",
    "/search?q=duck+feet&ask=1",
    "/search?q=duck+feet",
  ]);
});

test("a question is asked first, and a page is found by the beginning of a word", () => {
  expect(kindsOf("Do ducks have feet?", found(hit(1, "strong")))).toEqual(["ask", "hit", "all"]);
  expect(kindsOf("doc", IDLE)).toEqual(["act", "ask", "all"]);
  expect(kindsOf("cument", IDLE)).toEqual(["ask", "all"]);
});

test("a document is listed once, and weak hits only if there are no others", () => {
  const hits = (...strengths: readonly string[]) =>
    kindsOf("duck", found(...strengths.map((each, at) => hit(at, each)))).filter(
      (id) => id === "hit",
    ).length;
  expect(hits("strong", "fair", "weak")).toBe(1);
  expect(hits("weak", "weak")).toBe(1);
});

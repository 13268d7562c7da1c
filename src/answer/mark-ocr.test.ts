import { expect, test } from "vitest";
import type { PageReport } from "../domain/document.ts";
import type { AnswerOutcome, Citation } from "./answer.ts";
import { markOcr } from "./mark-ocr.ts";

const cited = (id: string, place: object = {}): Citation => ({
  content: "Total 7.42",
  location: { document_id: id, ...place },
  score: 0.9,
});

const page = (number: number, method: PageReport["method"]): PageReport => ({
  place: { page: number },
  method,
  characters: 10,
});

const PAGES: Readonly<Record<string, readonly PageReport[]>> = {
  picture: [{ place: {}, method: "ocr", characters: 10 }],
  letter: [{ place: {}, method: "text", characters: 10 }],
  mixed: [page(1, "text"), page(2, "ocr"), page(3, "text")],
};
const source = { get: async (id: string) => ({ pages: PAGES[id] ?? [] }) };

const outcome = (citations: readonly Citation[], more: Partial<AnswerOutcome> = {}) => ({
  answer: "7.42 [1]",
  citations,
  related: [],
  outcome: "answered" as const,
  grounded: true,
  kind: "quote" as const,
  ...more,
});

test.each([
  ["a picture", cited("picture"), true],
  ["a text", cited("letter"), undefined],
  ["the scanned page of a file", cited("mixed", { page: 2 }), true],
  ["another page of it", cited("mixed", { page: 3 }), undefined],
  ["pages that include the scanned one", cited("mixed", { page: 1, until_page: 3 }), true],
  ["a document that is gone", cited("gone"), undefined],
])("%s", async (_, citation, expected) => {
  const marked = await markOcr(outcome([citation]), source);
  expect(marked.citations[0]?.location["ocr"]).toBe(expected);
  expect(marked.warning !== undefined).toBe(expected === true);
});

test("passages that may help are marked, too, but need no warning", async () => {
  const related = outcome([cited("picture")], { outcome: "related", grounded: false });
  const marked = await markOcr(related, source);
  expect(marked.citations[0]?.location["ocr"]).toBe(true);
  expect(marked.warning).toBeUndefined();
  const beside = await markOcr(outcome([cited("letter")], { related: [cited("picture")] }), source);
  expect(beside.related[0]?.location["ocr"]).toBe(true);
  expect(beside.warning).toBeUndefined();
});

test("another warning stays", async () => {
  const marked = await markOcr(
    outcome([cited("picture")], { warning: { code: "modelFailed", values: ["A"] } }),
    source,
  );
  expect(marked.warning).toEqual({ code: "modelFailed", values: ["A"] });
});

import { describe, expect, test } from "vitest";
import { documentOf } from "../../../test/support/table-document.ts";
import { answerFromPassages, gatherCandidates } from "../answer-from-passages.ts";

async function ask(text: string, query: string) {
  const { found, reading } = documentOf(text, 1);
  return answerFromPassages({ query, found, maxResults: 4 }, reading);
}

describe("a cell of the wrong kind is not an answer", () => {
  const PLANTS = `| Plant | Staff | Start | Rent per month |
| --- | --- | --- | --- |
| Alder Dam | 48 | 3 March 2025 | €6,300 |
| Birch Dam | 31 | 9 May 2024 | €5,100 |`;

  test.each([
    ["a person is no number", "Who runs the staff of Alder Dam?"],
    ["a row without a height does not say it", "How tall is Alder Dam?"],
    ["a time is no amount", "When does the rent contract of Alder Dam run out?"],
    ["the start is not the end", "When does Alder Dam end?"],
  ])("%s", async (_, query) => {
    expect(await ask(PLANTS, query)).toMatchObject({ grounded: false });
  });

  test("a cell of that kind is", async () => {
    expect((await ask(PLANTS, "When did Alder Dam start?")).answer).toContain("3 March 2025");
    expect((await ask(PLANTS, "How many staff does Alder Dam have?")).answer).toContain("48");
  });
});

test("a form's number is no person", async () => {
  const { found, reading } = documentOf("Patient: Ann Reed\nAppendectomy: 2005\nWard: North", 0);
  const fields = async (query: string) => {
    const { candidates } = await gatherCandidates({ query, found, maxResults: 4 }, reading);
    return candidates.flatMap(({ way, claims }) => (way === "form" ? claims : []));
  };
  expect(await fields("Who did the appendectomy?")).toEqual([]);
  expect(await fields("When was the appendectomy?")).toMatchObject([
    { text: "Appendectomy: 2005" },
  ]);
});

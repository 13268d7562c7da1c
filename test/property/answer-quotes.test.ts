// Quotes from any Markdown are whole sentences or whole code, without markup and headings.
import fc from "fast-check";
import { expect, test } from "vitest";
import { answerFromPassages } from "../../src/answer/answer-from-passages.ts";
import { withReader } from "../support/answers.ts";
import { passage } from "../support/passages.ts";

const SENTENCES = [
  "The pump must be cleaned twice a year.",
  "Clean the pump with the **soft** brush.",
  "Its `filter` is below the [cover](https://example.org/cover).",
  "Use *warm* water, never oil.",
  "ポンプは年に2回清掃します。",
];
const CODE = "```sh\npump clean --all\n\n# twice\npump check\n```";
const HEADINGS = ["Cleaning the pump", "Pump care", "清掃"];

const block = fc.oneof(
  fc.subarray(SENTENCES, { minLength: 1 }).map((list) => list.join(" ")),
  fc.constantFrom(...HEADINGS).map((text) => `## ${text}`),
  fc.constantFrom(...HEADINGS).map((text) => `${text}\n=====`),
  fc.constantFrom(...SENTENCES).map((text) => `- ${text}`),
  fc.constantFrom(...SENTENCES).map((text) => `> ${text}`),
  fc.constant(CODE),
);
const document = fc.array(block, { minLength: 1, maxLength: 8 }).map((all) => all.join("\n\n"));
const QUESTIONS = [
  "How do I clean the pump?",
  "How often must the pump be cleaned?",
  "ポンプの清掃は年に何回ですか？",
];

const plain = (text: string) =>
  text.replace(/\*\*|[*`]/g, "").replace(/\[([^\]]+)\]\([^)]+\)/g, "$1");

test("an answer consists of whole sentences and whole code, without markup and headings", async () => {
  const whole = [...SENTENCES.map(plain), CODE];
  await fc.assert(
    fc.asyncProperty(
      fc.array(document, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...QUESTIONS),
      async (texts, query) => {
        const found = texts.map((text, at) => passage(text, { chunkId: `c${at}` }));
        const { answer, outcome } = await answerFromPassages(
          { query, found, maxResults: 4 },
          await withReader(),
        );
        if (outcome !== "answered") return;
        let rest = answer.replace(/\s?\[\d+\]/g, "").replace(/^\([^)]*\) |^（[^）]*）/u, "");
        for (const each of whole) rest = rest.replaceAll(each, "");
        expect(rest.trim()).toBe("");
      },
    ),
    { numRuns: 200 },
  );
});

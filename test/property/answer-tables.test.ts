import fc from "fast-check";
import { expect, test } from "vitest";
import type { AnswerOutcome } from "../../src/answer/answer.ts";
import { answerFromPassages } from "../../src/answer/answer-from-passages.ts";
import { documentOf } from "../fixtures/table-document.ts";

const RUNS = { numRuns: 150 };
const name = fc.constantFrom(
  "City",
  "Price",
  "Stock",
  "Owner",
  "Date",
  "都市",
  "価格",
  "担当者",
  "Total",
  "2024",
);
const value = fc.oneof(
  fc.constantFrom(
    "Paris",
    "Oslo",
    "$1,200",
    "34%",
    "2025-07-10",
    "12 kg",
    "1億2,000万円",
    "n/a",
    "",
    "佐藤",
    "Total",
    "合計",
    "−5",
  ),
  fc.nat(100_000).map(String),
  fc.string({ unit: "grapheme", maxLength: 12 }).map((text) => text.replace(/[|\n\\]/g, " ")),
);
const table = fc.integer({ min: 2, max: 6 }).chain((width) =>
  fc.record({
    header: fc.array(name, { minLength: width, maxLength: width }),
    rows: fc.array(fc.array(value, { minLength: width, maxLength: width }), {
      minLength: 1,
      maxLength: 12,
    }),
  }),
);
const question = fc.constantFrom(
  "Which city has the highest price?",
  "What is the total stock?",
  "How many rows are there?",
  "Who is the owner of Paris?",
  "価格が一番高い都市はどこですか？",
  "担当者は誰ですか？",
  "What is the price of Oslo in 2024?",
);

interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
const toText = ({ header, rows }: Table) =>
  [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");

function expectNoHeader({ answer, citations, outcome }: AnswerOutcome, asked: Table): void {
  if (outcome !== "answered") return;
  const text = toText(asked);
  const first = text.indexOf("\n", text.indexOf("\n") + 1);
  for (const { content, location } of citations) {
    expect(content).toBe(text);
    for (const { start, end } of location["quotes"] as { start: number; end: number }[]) {
      expect(start).toBeGreaterThan(first);
      expect(end).toBeLessThanOrEqual(text.length);
    }
  }
  expect(answer.replace(/ \[\d\]$/u, "")).not.toBe(asked.header.join("; "));
}

test("for any table, cited cells are the document's own and a header is never the answer", async () => {
  await fc.assert(
    fc.asyncProperty(table, question, async (asked, query) => {
      const { found, reading } = documentOf(toText(asked), 1);
      expectNoHeader(await answerFromPassages({ query, found, maxResults: 4 }, reading), asked);
    }),
    RUNS,
  );
});

test("an answer that quotes or repeats the header is detected", async () => {
  const asked = { header: ["City", "Price"], rows: [["Oslo", "34"]] };
  const { found, reading } = documentOf(toText(asked), 1);
  const query = "What is the price of Oslo?";
  const right = await answerFromPassages({ query, found, maxResults: 4 }, reading);
  expect(right.outcome).toBe("answered");
  expectNoHeader(right, asked);
  const [cited] = right.citations;
  const location = { ...cited?.location, quotes: [{ start: 0, end: 16 }] };
  const citations = [{ content: toText(asked), score: null, location }];
  expect(() => expectNoHeader({ ...right, citations }, asked)).toThrow();
  expect(() => expectNoHeader({ ...right, answer: "City; Price [1]" }, asked)).toThrow();
});

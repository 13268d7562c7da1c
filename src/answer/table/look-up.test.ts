// One row and one column, named by the question, and nothing else asked for.
import { expect, test } from "vitest";
import { documentOf } from "../../../test/fixtures/table-document.ts";
import { passage } from "../../../test/support/passages.ts";
import { answerFromPassages } from "../answer-from-passages.ts";

const PARTS = [
  "| Part | Unit price | Price | Stock | Supplier |",
  "| --- | --- | --- | --- | --- |",
  "| Ball valve | $3.40 | $34.50 | 120 | Norvalve |",
  "| Gate valve | $11.20 | $112.00 | 35 | Harrow |",
  "| Gear pump | $124.00 | $1,240.00 | 8 | Harrow |",
  "| Hose clamp |  | $2.00 | 120 | Norvalve |",
].join("\n");

async function ask(query: string, table = PARTS) {
  const { found, reading } = documentOf(table, 1);
  return answerFromPassages({ query, found, maxResults: 4 }, reading);
}

test.each([
  ["What is the stock of the gate valve?", "Stock: 35 ("],
  ["What is the unit price of the ball valve?", "Unit price: $3.40 ("],
  ["What is the price of the ball valve?", "Price: $34.50 ("],
  ["Who is the supplier of the gear pump?", "Supplier: Harrow ("],
])("%s", async (query, start) => {
  const { answer, kind, outcome, citations } = await ask(query);
  expect({ answer: answer.slice(0, start.length), kind, outcome }).toEqual({
    answer: start,
    kind: "table",
    outcome: "answered",
  });
  const span = citations[0]?.location["span"] as { start: number; end: number };
  expect(start).toContain(PARTS.slice(span.start, span.end));
});

test.each([
  ["two rows are named", "What is the stock of the gate valve and the ball valve?"],
  ["a row is named by half its name", "What is the stock of the valve?"],
  ["two columns are named", "What are the stock and the supplier of the gate valve?"],
  ["no row is named", "What is the stock?"],
  ["no column is named", "What about the gate valve?"],
  ["a comparison", "How much more stock does the gate valve have than the gear pump?"],
  ["a superlative", "Which part has the highest stock?"],
  ["a sum", "What is the total stock of the valves?"],
  ["a condition is left over", "What was the stock of the gate valve in 2019?"],
  ["a word is left over", "What is the stock of the broken gate valve?"],
  ["the cell is empty", "What is the unit price of the hose clamp?"],
])("is not looked up: %s", async (_, query) => {
  expect((await ask(query)).outcome).not.toBe("answered");
});

test("Japanese tables are looked up, too", async () => {
  const table = [
    "| 店名 | 店長 | 売上高 |",
    "| --- | --- | --- |",
    "| 梅田店 | 佐藤健 | 1,200万円 |",
    "| 天神店 | 鈴木愛 | 980万円 |",
  ].join("\n");
  expect((await ask("天神店の店長は誰ですか？", table)).answer).toMatch(/^店長: 鈴木愛/);
  expect((await ask("梅田店の売上高はいくらですか？", table)).answer).toMatch(/^売上高: 1,200万円/);
  expect((await ask("売上高が一番高い店の店長は誰ですか？", table)).outcome).not.toBe("answered");
});

test("a category beside the row's name does not make it ambiguous", async () => {
  const table =
    "| Part | Category | Price |\n| --- | --- | --- |\n| Ball valve | Valves | $34.50 |\n| Gate valve | Valves | $112.00 |";
  expect((await ask("What is the price of the gate valve?", table)).answer).toMatch(
    /^Price: \$112/,
  );
  expect((await ask("What is the price of the valves?", table)).outcome).not.toBe("answered");
});

test("what is before a comma names a row, unless it names two", async () => {
  const cities = (last: string) =>
    `| City | Population |\n| --- | --- |\n| Tokyo, Japan | 13298000 |\n| ${last} | 24256800 |`;
  const query = "What is the population of Tokyo in the table?";
  expect((await ask(query, cities("Shanghai, China"))).answer).toMatch(/^Population: 13298000/);
  expect((await ask(query, cities("Tokyo, Texas"))).outcome).not.toBe("answered");
});

test("two rows of the same name are not chosen between", async () => {
  const table =
    "| Name | Room |\n| --- | --- |\n| Ana Ruiz | 4 |\n| Ana Ruiz | 9 |\n| Ben Holt | 5 |";
  expect((await ask("What is the room of Ana Ruiz?", table)).outcome).not.toBe("answered");
  expect((await ask("What is the room of Ben Holt?", table)).answer).toMatch(/^Room: 5/);
});

test("a store that fails while several documents are read fails one question, not the process", async () => {
  const table = (n: number) =>
    passage("| City | Open |\n| --- | --- |\n| Bergen | yes |", {
      documentId: `doc-${n}`,
      chunkId: `chunk-${n}`,
    });
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on("unhandledRejection", note);
  const documents = {
    get: async () => undefined,
    chunksOf: async () => [],
    extracted: async () => Promise.reject(new Error("store")),
  };
  const found = [table(1), table(2), table(3)];
  const asked = answerFromPassages(
    { query: "Is Bergen open?", found, maxResults: 4 },
    { documents },
  );
  await expect(asked).rejects.toThrow("store");
  await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

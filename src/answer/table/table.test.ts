// Questions to tables, through the whole way: Markdown as it is stored → columns and rows → an answer with its cells.
import { describe, expect, test } from "vitest";
import { documentOf } from "../../../test/support/table-document.ts";
import { answerFromPassages } from "../answer-from-passages.ts";

const CITIES = `| Big cities |  |  | Small towns |  |  |
| --- | --- | --- | --- | --- | --- |
| City | Area | Population | City | Area | Population |
| Aville | 1,200 km² | 2,400,000 | Etown | 12 km² | 9,300 |
| Bville | 850 km² | 3,100,000 | Ftown | 30 km² | 1,450 |
| Cville | 990 km² | 980,000 | Gtown | 8 km² | 22,000 |
| Total | 3,040 km² | 6,480,000 | Total | 50 km² | 32,750 |`;

const SALES = `| Region | 2024 sales |  | Total |
| --- | --- | --- | --- |
| Region | Q1 | Q2 | Total |
| Europe |  |  |  |
| France | $40 | $48 | $88 |
| Spain | $35 | $61 | $96 |
| Asia |  |  |  |
| Japan | $90 | $75 | $165 |
| Grand Total | $165 | $184 | $349 |`;

const STAFF = `| 氏名 | 部署 | 入社日 | 年収（万円） |
| --- | --- | --- | --- |
| 佐藤健 | 営業部 | 2015年4月1日 | 620 |
| 鈴木彩 | 開発部 | 2009年10月1日 | 810 |
| 高橋蓮 | 営業部 | 2021年4月1日 | 480 |`;

const ask = async (table: string, query: string, headerRows = 1) => {
  const { found, reading } = documentOf(table, headerRows);
  return answerFromPassages({ query, found, maxResults: 4 }, reading);
};

describe("a question is matched to columns and rows", () => {
  test.each([
    ["lookup", SALES, "What were the Q2 sales in Spain?", /^2024 sales Q2: \$61 \(/],
    ["a column's total", SALES, "What were Japan's total 2024 sales?", /^Total: \$165 \(/],
    ["the total that the table has", SALES, "What is the grand total of sales?", /\$349/],
    ["superlative", CITIES, "Which big city has the largest population?", /^City: Bville \(/],
    ["the smallest", CITIES, "Which small town has the lowest population?", /^City: Ftown \(/],
    ["the second", CITIES, "Which big city has the second largest population?", /^City: Aville/],
    [
      "a bound",
      CITIES,
      "Which big cities have more than 1,000,000 inhabitants?",
      /Aville[\s\S]*Bville/,
    ],
    ["a section", SALES, "Which country in Europe had the highest Q1 sales?", /^Region: France/],
    ["a comparison", SALES, "Which had higher total sales, France or Spain?", /^Region: Spain/],
    ["a difference", SALES, "What is the difference in Q1 between Japan and France?", /\$50/],
    ["the best of a row", SALES, "In which quarter did Spain sell the most?", /Q2: \$61/],
    ["an average", SALES, "What is the average of the Q1 sales?", /\$55 \(3 rows/],
    ["合計", STAFF, "年収の合計はいくらですか？", /年収（万円）の合計: 1,910/],
    ["一番", STAFF, "年収が一番高い人は誰ですか？", /^氏名: 鈴木彩/],
    ["最も新しい", STAFF, "入社日が最も新しい人は誰ですか？", /^氏名: 高橋蓮/],
    ["件数", STAFF, "営業部は何人ですか？", /件数: 2/],
    ["平均", STAFF, "営業部の年収の平均は？", /550/],
  ])("%s", async (_, table, query, expected) => {
    const { answer, outcome, kind } = await ask(table, query, table === STAFF ? 1 : 2);
    expect({ answer, outcome, kind }).toMatchObject({ outcome: "answered", kind: "table" });
    expect(answer).toMatch(expected);
  });
});

test("a row that sums up others is neither counted nor compared", async () => {
  const { answer } = await ask(CITIES, "Which big city has the largest area?", 2);
  expect(answer).toMatch(/^City: Aville/);
});

test("a second row of headers is known although the reader marked only one", async () => {
  const { answer } = await ask(SALES, "What were the Q1 sales in France?", 1);
  expect(answer).toMatch(/^2024 sales Q1: \$40/);
});

test("the citation has the table's header and the sheet's cell", async () => {
  const { found, reading } = documentOf(STAFF, 1, { rows: [[3, 4]], columns: [0, 1, 2, 3] });
  const query = "鈴木彩の年収はいくらですか？";
  const { citations } = await answerFromPassages({ query, found, maxResults: 4 }, reading);
  expect(citations[0]?.location).toMatchObject({
    sheet: "Staff",
    table: { header: ["氏名", "部署", "入社日", "年収（万円）"], cells: ["D5"] },
  });
});

test("an answer from a row that the search did not find cites that row's chunk", async () => {
  const { found, reading } = documentOf(SALES, 2);
  const [first] = found.map((passage) => ({
    ...passage,
    end: passage.start + 80,
    text: passage.text.slice(0, 80),
  }));
  const query = "What were the Q2 sales in Spain?";
  const { citations } = await answerFromPassages(
    { query, found: first ? [first] : [], maxResults: 4 },
    reading,
  );
  expect(citations[0]?.content).toContain("| Spain |");
});

describe("forms", () => {
  const RECEIPT =
    "CORNER SHOP\n12 Main Street\nTEL: 03-4021\n\nDoc No CS00011 Date 02/12/2025\nCashier: Rita Gold\n\nSubtotal 7.00\nTax 0.42\nTotal 7.42\nCash: 10.00\nChange: 2.58";
  const SEIKYU =
    "請求書\n請求番号：A-1029\n発行日：2026年3月31日\n担当者：山田花子\n合計金額：58,300円\n支払期限：2026年4月30日";

  test.each([
    [RECEIPT, "What is the total on the receipt?", /^Total:? 7\.42 \[1\]$/],
    [RECEIPT, "What is the date of the receipt?", /Date:? 02\/12\/2025 \[1\]$/],
    [RECEIPT, "Who was the cashier?", /^Cashier: Rita Gold \[1\]$/],
    [SEIKYU, "請求書の合計金額はいくらですか？", /合計金額[:：] ?58,300円 \[1\]/],
    [SEIKYU, "支払期限はいつですか？", /支払期限[:：] ?2026年4月30日 \[1\]/],
    [SEIKYU, "請求書の担当者は誰ですか？", /担当者[:：] ?山田花子 \[1\]/],
  ])("%#: %s", async (text, query, expected) => {
    const { found, reading } = documentOf(text, 0);
    const { answer, outcome } = await answerFromPassages({ query, found, maxResults: 4 }, reading);
    expect(outcome).toBe("answered");
    expect(answer).toMatch(expected);
  });
});

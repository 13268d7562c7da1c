// Questions about tables, end to end: stored Markdown → columns and rows → an answer with its cells.
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

test("a row with totals is neither counted nor compared", async () => {
  const { answer } = await ask(CITIES, "Which big city has the largest area?", 2);
  expect(answer).toMatch(/^City: Aville/);
});

test("a second header row is recognised although the extractor marked only one", async () => {
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

describe("what only looks like a form's value is no answer", () => {
  const INVOICE = `# Invoice INV-2043

Bluefin Hosting, 12 Harbour Road, Bristol

Subtotal £684.00
VAT £136.80
IBAN GB29 NWBK 6016 1331 9268 19`;
  const MANUAL = `# Kettle K-200

The warranty covers the heating element for two years.`;

  test.each([
    ["how much", INVOICE, "How much VAT is on the Bluefin invoice?", "INV-2043"],
    ["when", INVOICE, "When must the invoice be paid?", "INV-2043"],
    ["yes or no", MANUAL, "Does the kettle warranty cover limescale?", "K-200"],
    ["a title", MANUAL, "What does the kettle cost?", "K-200"],
  ])("%s", async (_, text, query, code) => {
    const { outcome, answer } = await ask(text, query, 0);
    expect(outcome === "answered" ? answer : "").not.toContain(code);
  });

  test("a total in large print is one all the same", async () => {
    const { answer } = await ask("# GRAND TOTAL 211,522", "What is the grand total?", 0);
    expect(answer).toContain("211,522");
  });

  test("a number in groups is whole", async () => {
    const { answer } = await ask(INVOICE, "What is the IBAN of Bluefin?", 0);
    expect(answer).toContain("GB29 NWBK 6016 1331 9268 19");
  });
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
    ["Subtotal 232.00\nVAT 20% 46.40\nTotal 278.40", "What is the VAT?", /^VAT 20%: 46\.40 \[1\]$/],
    [SEIKYU, "請求書の合計金額はいくらですか？", /合計金額[:：] ?58,300円 \[1\]/],
    [
      "見積番号：Q-77\n見積日：2025年7月3日\n小計：519,000円\n合計金額：570,900円\n担当：営業部 宮本",
      "見積の担当者は誰ですか？",
      /^担当[:：] ?営業部 宮本 \[1\]$/,
    ],
    [SEIKYU, "支払期限はいつですか？", /支払期限[:：] ?2026年4月30日 \[1\]/],
    [SEIKYU, "請求書の担当者は誰ですか？", /担当者[:：] ?山田花子 \[1\]/],
  ])("%#: %s", async (text, query, expected) => {
    const { found, reading } = documentOf(text, 0);
    const { answer, outcome } = await answerFromPassages({ query, found, maxResults: 4 }, reading);
    expect(outcome).toBe("answered");
    expect(answer).toMatch(expected);
  });
});

const NOTED = `| Ask before changing |  |  |  |
| --- | --- | --- | --- |
| anything |  |  | here |
| Host | Role | Disk | Rack |
| alder | database | 7.6 TB | B2 |
| cedar | web | 480 GB | B2 |
| elm | web | 1.9 TB | C1 |`;

test("notes above a table are not its header", async () => {
  const { answer, citations } = await ask(NOTED, "What is the role of cedar?");
  expect(answer).toMatch(/^Role: web \(Host: cedar/);
  expect(citations[0]?.location["table"]).toMatchObject({
    header: ["Host", "Role", "Disk", "Rack"],
    number: 1,
    cells: ["R5C2"],
  });
});

test("cells with different units are compared in one unit", async () => {
  const { answer } = await ask(NOTED, "Which host has the largest disk?");
  expect(answer).toMatch(/^Host: alder/);
});

test("'what does it mean' does not ask for an average", async () => {
  const table = `| Setting | Default | Meaning |
| --- | --- | --- |
| WORKERS | 1 | how many jobs run at a time |
| LEASE | 45 | seconds until a job is given away |`;
  const { answer } = await ask(table, "What does the setting WORKERS mean?");
  expect(answer).toContain("how many jobs run at a time");
});

test("a name is searched in the column that the question names", async () => {
  const table = `| 日付 | 受付 | 清掃 |
| --- | --- | --- |
| 11月2日 | 大野 | 石川 |
| 11月4日 | 村上 | 大野 |
| 11月9日 | 大野 | 原 |`;
  const { answer } = await ask(table, "大野さんの受付は何回ありますか？");
  expect(answer).toContain(": 2（2行");
});

const SHIPS = `| Ship | Arrival | Cargo | Tonnes |
| --- | --- | --- | --- |
| Aurora | 2025-03-02 | Timber | 4200 |
| Castor | 2025-03-05 | Cars | 7650 |
| Heron | 2025-03-05 | Grain | 11800 |
| Delphine | 2025-04-05 | Grain | 9400 |`;

test.each([
  ["Which ships arrived on 5 March 2025?", ["Castor", "Heron"]],
  ["Which ship arrived on March 2, 2025?", ["Aurora"]],
  ["2025年4月5日に到着した船は？", ["Delphine"]],
  ["What is the total tonnage of grain?", ["21200"]],
])(
  "a date or a measure may be written otherwise than in the table: %s",
  async (query, expected) => {
    const { answer, outcome } = await ask(SHIPS, query);
    expect(outcome).toBe("answered");
    for (const each of expected) expect(answer).toContain(each);
    if (!expected.includes("Aurora")) expect(answer).not.toContain("Aurora");
  },
);

test("rows are counted only where the table lists what is counted", async () => {
  const widths = `| Linear address | Width of the paging level |
| --- | --- |
| lower half | 9 |
| upper half | 9 |`;
  const { answer, kind } = await ask(widths, "How many bits wide is a linear address in paging?");
  expect({ answer, kind }).not.toMatchObject({ kind: "table" });
  expect(answer).not.toMatch(/count/i);
});

const STAFF_LIST = `| name | office | manager | salary |
| --- | --- | --- | --- |
| Maria Silva | Lisbon |  | 9100 |
| Robert Hill | London | Maria Silva | 5200 |
| Claire Dubois | Paris | Maria Silva | 5000 |
| Kenji Sato | Tokyo | Robert Hill | 6100 |`;

describe("a person who is named in another column", () => {
  test("is not one of those who report to them", async () => {
    const counted = await ask(STAFF_LIST, "How many people report to Maria Silva?");
    expect(counted.answer).toMatch(/: 2 \(/);
    const listed = await ask(STAFF_LIST, "Who reports to Maria Silva?");
    expect(listed.answer).not.toContain("Lisbon");
    expect(listed.answer).toContain("Robert Hill");
  });

  test("is looked up by their own row", async () => {
    const { answer } = await ask(STAFF_LIST, "What is the salary of Kenji Sato?");
    expect(answer).toContain("6100");
  });
});

test("rows of people are no count of seats", async () => {
  const { kind, answer } = await ask(STAFF_LIST, "How many seats does the Tokyo office have?");
  expect(`${kind} ${answer}`).not.toMatch(/table.*count/i);
});

test("of two tables side by side, the smallest is the smallest of both", async () => {
  const { answer } = await ask(CITIES, "Which city has the smallest population?", 2);
  expect(answer).toContain("Ftown");
  const { answer: largest } = await ask(CITIES, "Which city has the largest population?", 2);
  expect(largest).toContain("Bville");
});

test("the total of a column is in the row of totals", async () => {
  const { answer } = await ask(SALES, "What is the grand total for Q2?");
  expect(answer).toContain("$184");
});

test("'how many' of one item is its quantity, not the number of its rows", async () => {
  const order = `| Qty | Description | Unit price | Amount |
| --- | --- | --- | --- |
| 4 | Oak shelf | 38.00 | 152.00 |
| 12 | Steel bracket | 4.25 | 51.00 |
| 1 | Delivery | 29.00 | 29.00 |`;
  const { answer } = await ask(order, "How many steel brackets were ordered?");
  expect(answer).toMatch(/^Qty: 12 \(/);
  const books = `| 分類 | 冊数 | 棚 |
| --- | --- | --- |
| 技術 | 1,820 | A |
| 経営 | 640 | B |
| 文学 | 415 | C |`;
  expect((await ask(books, "技術の本は何冊ありますか？")).answer).toMatch(/^冊数: 1,820/);
  expect((await ask(books, "分類ごとの本は全部で何冊ありますか？")).answer).toContain("2,875");
  expect((await ask(books, "本は何冊まで借りられますか？")).outcome).not.toBe("answered");
});

test("rows are counted only if they are what is asked for", async () => {
  const engines = `| エンジン | 既定 |
| --- | --- |
| platex | はい |
| lualatex | いいえ |`;
  expect((await ask(engines, "エンジンはいくつありますか？")).answer).toContain("2");
  expect((await ask(engines, "既定のダウンロード数はいくつですか？")).outcome).not.toBe("answered");
});

test("a cell does not say why", async () => {
  const projects = `| Project | Status |
| --- | --- |
| Linnet | Paused |
| Ibis | Running |`;
  expect((await ask(projects, "Why was Linnet paused?")).kind).not.toBe("table");
  expect((await ask(projects, "What is the status of Linnet?")).answer).toContain("Paused");
});

test("of two columns that the question names, the one it asks for comes first", async () => {
  const table = `| Disability | Participants | Accuracy |
| --- | --- | --- |
| Blind | 5 | 34.5% |
| Mobility | 3 | 95.4% |
| Dexterity | 6 | 98.3% |`;
  const query = "What accuracy did participants with mobility disability reach?";
  expect((await ask(table, query)).answer).toMatch(/^Accuracy: 95\.4%/);
});

const PLANS = `| Feature | Basic | Team |
| --- | --- | --- |
| Users | 3 | 25 |
| Storage per user | 10 GB | 100 GB |
| Price per month | $9 | $49 |`;

test("a row whose whole name is in the question takes precedence over one that only mentions it", async () => {
  const { answer } = await ask(PLANS, "How many users does the Basic plan allow?");
  expect(answer).toMatch(/^Basic: 3 \(Feature: Users/);
});

test("different units are not added up", async () => {
  const { answer } = await ask(PLANS, "What is the total of the Team column?");
  expect(answer).not.toContain("174");
});

test("the requested column may contain numbers", async () => {
  const table = `| Ship | Tonnes | Berth |
| --- | --- | --- |
| Aurora | 4200 | 3 |
| Estrella | 15300 | 4 |
| Castor | 7650 | 2 |`;
  expect((await ask(table, "Which berth had the most tonnes?")).answer).toMatch(/^Berth: 4 \(/);
});

const SECTIONS = `| Region | Q1 | Q2 |
| --- | --- | --- |
| Europe |  |  |
| Portugal | 40 | 55 |
| Norway | 65 | 20 |
| Asia |  |  |
| Nepal | 10 | 12 |`;

test("an adjective of a section's name selects its rows", async () => {
  const { answer } = await ask(SECTIONS, "Which European region had the lowest Q1?");
  expect(answer).toContain("Portugal");
});

test("a single row is not the largest of anything", async () => {
  const total = `| Total population in all cities | Source |
| --- | --- |
| 15322400 | census |`;
  expect((await ask(total, "Which is the largest city?")).answer).not.toContain("15322400");
});

const CLAIMS = `| Claims | FY 2005 Actual | FY 2006 Actual |
| --- | --- | --- |
| Filed | 900 | 870 |
| Denied | 83 | 46 |`;

test("a year names the column that has it", async () => {
  expect((await ask(CLAIMS, "How many claims were denied in FY 2006?")).answer).toMatch(/: 46 /);
});

test.each([
  "What is the colour of the oak shelf?",
  "Who sold the oak shelf?",
  "What is the oak shelf's weight?",
])("%s is not answered by a row that does not say it", async (query) => {
  const stock = `| Item | Price | Bin |
| --- | --- | --- |
| Oak shelf | 38.00 | A2 |
| Steel bracket | 4.25 | B1 |`;
  const { outcome, kind } = await ask(stock, query);
  expect({ outcome, kind }).not.toEqual({ outcome: "answered", kind: "table" });
});

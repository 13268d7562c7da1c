// Tables with layouts that others have: notes above the header, merged cells, two tables on a sheet, totals in the
// middle, codes, ranges, mixed units, Japanese headers.
import {
  docxTable,
  heading,
  makeDocx,
  makePptx,
  makeXlsx,
  paragraph,
  row,
  shape,
} from "../../../test/support/files/office.ts";
import type { FreshFile } from "./fresh-file.ts";

/** Lines of cells; numbers stay numbers, an empty line stays empty. */
function workbook(sheets: Readonly<Record<string, readonly (readonly (string | number)[])[]>>) {
  const strings: string[] = [];
  const cell = (value: string | number) =>
    typeof value === "number" || value === "" ? value : `s${strings.push(value) - 1}`;
  return makeXlsx({
    sheets: Object.entries(sheets).map(([name, lines]) => ({
      name,
      rows: lines.map((cells, at) => row(at + 1, cells.map(cell))).join(""),
    })),
    strings,
  });
}

const slideTable = (lines: readonly (readonly string[])[]) =>
  `<p:graphicFrame><a:graphic><a:graphicData><a:tbl>${lines
    .map(
      (cells) =>
        `<a:tr>${cells.map((text) => `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`).join("")}</a:tr>`,
    )
    .join("")}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;

const FLEET = workbook({
  Vans: [
    ["Motor pool, as of 30 June"],
    ["Ask Brigid before changing anything"],
    [],
    ["Plate", "Model", "Bought", "Mileage (km)", "Next service", "Driver"],
    ["KX-118", "Transit", 2019, 148200, "2026-08-14", "Noor Haddad"],
    ["KX-204", "Sprinter", 2022, 61750, "2026-07-02", "Jan Kowal"],
    ["KX-207", "Sprinter", 2022, 70410, "2026-09-30", "Elin Berg"],
    ["KX-311", "Ducato", 2024, 12980, "2027-01-11", "Marta Silva"],
    ["Total", "", "", 293340],
  ],
  Trailers: [
    ["Plate", "Payload (kg)", "Inspection"],
    ["TR-1", 750, "2026-05-01"],
    ["TR-2", 1300, "2027-02-01"],
  ],
});

const TRAINS = `<!doctype html><title>Night trains</title><h1>Night trains, winter timetable</h1>
<table><caption>From Basel</caption><tr><th rowspan="2">Train</th><th rowspan="2">Destination</th><th colspan="2">Time</th><th colspan="3">Price from</th></tr>
<tr><th>Departs</th><th>Arrives</th><th>Seat</th><th>Couchette</th><th>Sleeper</th></tr>
<tr><td>NJ 401</td><td>Hamburg</td><td>21:13</td><td>07:46</td><td>39.90 €</td><td>69.90 €</td><td>119.90 €</td></tr>
<tr><td>NJ 471</td><td>Berlin</td><td>22:05</td><td>08:02</td><td>44.90 €</td><td>74.90 €</td><td>129.90 €</td></tr>
<tr><td>NJ 467</td><td>Vienna</td><td>20:38</td><td>07:12</td><td>34.90 €</td><td>64.90 €</td><td>99.90 €</td></tr>
<tr><td>EN 40467</td><td>Zagreb</td><td>20:40</td><td>10:38</td><td>29.00 €</td><td>59.00 €</td><td>–</td></tr></table>`;

const HARVEST = `Field;Crop;Area (ha);Sown;Yield (t)
North slope;Barley;12,5;2025-03-28;81,3
Mill meadow;Rapeseed;8,0;2024-08-30;29,6
Long acre;Wheat;21,0;2024-10-04;172,2
Chapel field;Wheat;9,5;2024-10-11;71,3
South slope;Oats;6,0;2025-04-02;27,0`;

const BOARD = makeDocx({
  body: `${heading(1, "Allotment association: annual report")}${paragraph("The board met six times.")}${heading(2, "Income and expenses")}${docxTable(
    [
      ["Item", "2023", "2024", "2025"],
      ["Membership fees", "£4,120", "£4,380", "£4,655"],
      ["Summer fair", "£1,240", "£0", "£1,610"],
      ["Water", "-£890", "-£1,015", "-£1,180"],
      ["Tool shed repairs", "-£310", "-£2,475", "-£95"],
      ["Balance", "£4,160", "£890", "£4,990"],
    ],
  )}${heading(2, "Board")}${docxTable([
    ["Role", "Name", "Elected"],
    ["Chair", "Winifred Ashe", "2021"],
    ["Treasurer", "Dev Patel", "2024"],
    ["Secretary", "Ines Ferrer", "2019"],
  ])}`,
});

const SURVEY = makePptx([
  { shapes: shape(["Visitor survey"], "title") + shape(["1,204 answers, May to July"]) },
  {
    shapes:
      shape(["Rating by area"], "title") +
      slideTable([
        ["Area", "Answers", "Good", "Fair", "Poor"],
        ["Café", "412", "61 %", "27 %", "12 %"],
        ["Tropical house", "530", "88 %", "9 %", "3 %"],
        ["Car park", "262", "24 %", "31 %", "45 %"],
      ]),
  },
]);

const LIBRARY_JA = workbook({
  図書館: [
    ["市立図書館の利用状況（令和6年度）"],
    [],
    ["館名", "所在地", "蔵書数（冊）", "貸出数（冊）", "開館年", "休館日"],
    ["中央図書館", "本町3丁目", 412000, 688300, "昭和58年", "月曜日"],
    ["東分館", "旭ヶ丘1丁目", 96500, 154200, "平成4年", "火曜日"],
    ["西分館", "川端町", 71800, 98700, "平成11年", "火曜日"],
    ["移動図書館", "", 8200, 21400, "昭和61年", ""],
    ["合計", "", 588500, 962600],
  ],
});

const MENU_JA = `<!doctype html><title>お品書き</title><h1>そば処 やまぶき</h1><h2>お品書き</h2>
<table><tr><th>品名</th><th>価格（税込）</th><th>熱量</th><th>アレルゲン</th></tr>
<tr><td>もりそば</td><td>820円</td><td>412kcal</td><td>そば、小麦</td></tr>
<tr><td>天ぷらそば</td><td>1,450円</td><td>735kcal</td><td>そば、小麦、えび、卵</td></tr>
<tr><td>かけうどん</td><td>760円</td><td>388kcal</td><td>小麦</td></tr>
<tr><td>親子丼</td><td>980円</td><td>690kcal</td><td>卵、小麦、鶏肉</td></tr>
<tr><td>わらび餅</td><td>450円</td><td>214kcal</td><td>大豆</td></tr></table>`;

const ROSTER_JA = `当番表（11月）

| 日付 | 曜日 | 受付 | 清掃 | 備考 |
|---|---|---|---|---|
| 11月2日 | 月 | 大野 | 石川 | |
| 11月4日 | 水 | 村上 | 大野 | 午前のみ |
| 11月6日 | 金 | 石川 | 村上 | 棚卸し |
| 11月9日 | 月 | 大野 | 原 | |
`;

const SERVERS = `# Machines

Ask in #infra before restarting one.

| Host | Role | CPU cores | Memory | Disk | Rack |
| --- | --- | ---: | ---: | ---: | --- |
| alder | database | 32 | 256 GB | 7.6 TB | B2 |
| birch | database replica | 32 | 256 GB | 7.6 TB | C1 |
| cedar | web | 8 | 32 GB | 480 GB | B2 |
| dogwood | web | 8 | 32 GB | 480 GB | C1 |
| elm | build | 64 | 128 GB | 1.9 TB | B3 |

## Certificates

| Domain | Issued | Expires |
| --- | --- | --- |
| shop.example.org | 3 Feb 2026 | 4 May 2026 |
| api.example.org | 17 Mar 2026 | 15 Jun 2026 |
`;

export const FRESH_TABLES: readonly FreshFile[] = [
  {
    filename: "motor-pool.xlsx",
    content: FLEET,
    asked: [
      ["Who drives the van KX-207?", "Elin Berg"],
      ["What is the mileage of KX-118?", "148200"],
      ["When is the next service of KX-204?", "2026-07-02"],
      ["Which van has the highest mileage?", "KX-118"],
      ["Which van was bought last?", "KX-311"],
      ["How many Sprinters are in the motor pool?", "2"],
      ["What is the total mileage of all vans?", "293340"],
      ["Which model does Marta Silva drive?", "Ducato"],
      ["What is the payload of trailer TR-2?", "1300"],
      ["Which vans have more than 65,000 km?", "KX-118", "KX-207"],
      ["Which van is next to be serviced?", "KX-204"],
    ],
  },
  {
    filename: "night-trains.html",
    content: TRAINS,
    asked: [
      ["When does the night train to Berlin depart?", "22:05"],
      ["When does NJ 401 arrive in Hamburg?", "07:46"],
      ["How much is a sleeper to Vienna?", "99.90 €"],
      ["What does a couchette to Hamburg cost?", "69.90 €"],
      ["Which night train goes to Zagreb?", "EN 40467"],
      ["Which destination has the cheapest seat?", "Zagreb"],
      ["Which destination has the most expensive sleeper?", "Berlin"],
    ],
  },
  {
    filename: "harvest.csv",
    content: HARVEST,
    asked: [
      ["What was the yield of Long acre?", "172,2"],
      ["Which field has the largest area?", "Long acre"],
      ["How many fields grow wheat?", "2"],
      ["What is the total area of the wheat fields?", "30.5"],
      ["When was Mill meadow sown?", "2024-08-30"],
      ["What crop grows on the south slope?", "Oats"],
      ["Which field had the lowest yield?", "South slope"],
    ],
  },
  {
    filename: "allotment-report.docx",
    content: BOARD,
    asked: [
      ["How much were the membership fees in 2024?", "£4,380"],
      ["What was the balance in 2025?", "£4,990"],
      ["How much was spent on tool shed repairs in 2024?", "£2,475"],
      ["In which year was the income from the summer fair highest?", "2025"],
      ["Who is the treasurer of the allotment association?", "Dev Patel"],
      ["When was Ines Ferrer elected?", "2019"],
      ["Who chairs the board?", "Winifred Ashe"],
      ["What is the difference between the membership fees of 2023 and 2025?", "535"],
    ],
  },
  {
    filename: "visitor-survey.pptx",
    content: SURVEY,
    asked: [
      ["What share of visitors rated the car park poor?", "45 %"],
      ["Which area has the best rating?", "Tropical house"],
      ["How many answers were there for the café?", "412"],
      ["Which area was rated poor most often?", "Car park"],
      ["How many answers did the visitor survey have?", "1,204"],
    ],
  },
  {
    filename: "toshokan.xlsx",
    content: LIBRARY_JA,
    asked: [
      ["中央図書館の蔵書数は何冊ですか？", "412000"],
      ["東分館の休館日は何曜日ですか？", "火曜日"],
      ["貸出数が一番多い図書館はどこですか？", "中央図書館"],
      ["西分館はいつ開館しましたか？", "平成11年"],
      ["貸出数の合計は何冊ですか？", "962600"],
      ["蔵書数が10万冊未満の館はどこですか？", "東分館", "西分館"],
      ["東分館の所在地はどこですか？", "旭ヶ丘1丁目"],
      ["火曜日が休館日の図書館はいくつありますか？", "2"],
      ["一番古い図書館はどれですか？", "中央図書館"],
    ],
  },
  {
    filename: "yamabuki-menu.html",
    content: MENU_JA,
    asked: [
      ["天ぷらそばの値段はいくらですか？", "1,450円"],
      ["一番安い品は何ですか？", "わらび餅"],
      ["えびが入っている品はどれですか？", "天ぷらそば"],
      ["親子丼のカロリーはどのくらいですか？", "690kcal"],
      ["価格が800円以下の品は？", "かけうどん", "わらび餅"],
      ["熱量が最も高い品はどれですか？", "天ぷらそば"],
    ],
  },
  {
    filename: "touban.md",
    content: ROSTER_JA,
    asked: [
      ["11月6日の受付は誰ですか？", "石川"],
      ["棚卸しは何日ですか？", "11月6日"],
      ["11月4日の清掃当番は誰ですか？", "大野"],
      ["大野さんの受付は何回ありますか？", "2"],
    ],
  },
  {
    filename: "machines.md",
    content: SERVERS,
    asked: [
      ["How much memory does cedar have?", "32 GB"],
      ["Which host has the most CPU cores?", "elm"],
      ["Which machines are in rack C1?", "birch", "dogwood"],
      ["What is the role of alder?", "database"],
      ["When does the certificate of api.example.org expire?", "15 Jun 2026"],
      ["How many web servers are there?", "2"],
      ["What is the largest disk?", "7.6 TB"],
      ["Which certificate expires first?", "shop.example.org"],
    ],
  },
];

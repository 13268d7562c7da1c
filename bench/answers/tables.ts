// Tables for the benchmark, written for it: in six formats, English and Japanese, with the traps that real ones have
// (units, separators, merged headers, sections, totals, gaps).
import { docxTable, heading, makeDocx, makeXlsx, row } from "../../test/support/files/office.ts";

export interface TableFile {
  readonly filename: string;
  readonly content: string | Buffer;
}

export const OFFICES = {
  header: ["Office", "Country", "Employees", "Opened", "Manager", "Rent per month"],
  rows: [
    ["Lisbon", "Portugal", "124", "2011-03-01", "Ana Ribeiro", "€18,400"],
    ["Osaka", "Japan", "310", "1998-10-15", "Kenji Mori", "€41,250"],
    ["Denver", "United States", "87", "2016-06-20", "Carla Stone", "€22,900"],
    ["Leeds", "United Kingdom", "142", "2004-01-05", "Tom Hale", "€19,750"],
    ["Nagoya", "Japan", "65", "2019-09-02", "Yui Sato", "€9,800"],
    ["Porto", "Portugal", "41", "2021-11-22", "Rui Campos", "€6,300"],
    ["Austin", "United States", "203", "2013-04-08", "Dana Reyes", "€35,600"],
  ],
};

export const PARTS = {
  header: ["Part", "Category", "Unit price", "Stock", "Weight", "Supplier"],
  rows: [
    ["Ball valve BV-20", "Valves", "$34.50", "120", "0.9 kg", "Norvalve"],
    ["Gate valve GV-50", "Valves", "$112.00", "35", "6.4 kg", "Norvalve"],
    ["Check valve CV-25", "Valves", "$48.20", "0", "1.6 kg", "Hydrotek"],
    ["Gear pump GP-3", "Pumps", "$1,240.00", "8", "21 kg", "Hydrotek"],
    ["Dosing pump DP-1", "Pumps", "$860.00", "14", "9.5 kg", "Flowmatic"],
    ["Pressure sensor PS-10", "Sensors", "$76.90", "260", "0.2 kg", "Sensoria"],
    ["Flow sensor FS-40", "Sensors", "$143.00", "52", "0.7 kg", "Sensoria"],
    ["Level switch LS-2", "Sensors", "$29.80", "410", "0.3 kg", "Flowmatic"],
  ],
};

export const SHOPS = {
  header: ["店舗名", "都道府県", "開店日", "店長", "従業員数", "売上高（万円）"],
  rows: [
    ["青葉店", "宮城県", "2009年4月1日", "佐藤健", "18", "12,400"],
    ["梅田店", "大阪府", "2003年11月20日", "田中美咲", "42", "38,750"],
    ["天神店", "福岡県", "2015年7月10日", "山本翔", "27", "21,300"],
    ["栄店", "愛知県", "2012年2月14日", "鈴木彩", "31", "25,900"],
    ["なんば店", "大阪府", "2018年9月3日", "高橋蓮", "36", "29,100"],
    ["札幌駅前店", "北海道", "2020年12月5日", "伊藤葵", "22", "15,600"],
  ],
};

export const COURSES = {
  header: ["講座名", "講師", "開催日", "会場", "定員", "受講料"],
  rows: [
    ["表計算入門", "中村聡", "2026年5月12日", "第1会議室", "20名", "5,000円"],
    ["統計の基礎", "小林由美", "2026年6月3日", "大ホール", "80名", "12,000円"],
    ["文書作成講座", "中村聡", "2026年5月26日", "第2会議室", "16名", "4,500円"],
    ["機械学習演習", "渡辺大輔", "2026年7月15日", "計算機室", "24名", "28,000円"],
    ["英語プレゼン", "リー・サラ", "2026年6月24日", "第1会議室", "12名", "18,000円"],
  ],
};

/** Two rows of headers, sections, and rows that sum up. */
const ENERGY_HTML = `<!doctype html><title>Energy report</title><h1>Electricity generated in 2025</h1>
<table><thead><tr><th rowspan="2">Plant</th><th colspan="2">Generation (GWh)</th><th rowspan="2">Staff</th></tr>
<tr><th>Summer</th><th>Winter</th></tr></thead><tbody>
<tr><th colspan="4">Hydro</th></tr>
<tr><td>Alder Dam</td><td>412</td><td>655</td><td>48</td></tr>
<tr><td>Birch Falls</td><td>188</td><td>240</td><td>19</td></tr>
<tr><td>Subtotal</td><td>600</td><td>895</td><td>67</td></tr>
<tr><th colspan="4">Wind</th></tr>
<tr><td>Cove Ridge</td><td>95</td><td>310</td><td>12</td></tr>
<tr><td>Dune Park</td><td>76</td><td>205</td><td>9</td></tr>
<tr><td>Subtotal</td><td>171</td><td>515</td><td>21</td></tr>
<tr><td>Total</td><td>771</td><td>1,410</td><td>88</td></tr>
</tbody></table>`;

export const PROJECTS = {
  header: ["Project", "Owner", "Start", "Budget (k€)", "Status"],
  rows: [
    ["Heron", "Maya Lind", "12 January 2025", "420", "Done"],
    ["Ibis", "Oskar Falk", "3 March 2025", "185", "Running"],
    ["Kestrel", "Maya Lind", "20 May 2025", "960", "Running"],
    ["Linnet", "Petra Novak", "1 September 2025", "75", "Paused"],
    ["Merlin", "Oskar Falk", "14 November 2025", "310", "Running"],
  ],
};

export const MOUNTAINS = {
  header: ["山名", "標高（m）", "所在地", "登山口"],
  rows: [
    ["黒羽岳", "2,356", "長野県", "白樺口"],
    ["霧立山", "1,874", "岐阜県", "水沢口"],
    ["鷹巣岳", "2,911", "富山県", "立石口"],
    ["笹ヶ峰", "1,102", "新潟県", "笹平口"],
  ],
};

export function tableFiles(): readonly TableFile[] {
  return [
    { filename: "offices.csv", content: toCsv(OFFICES) },
    { filename: "spare-parts.xlsx", content: toXlsx(PARTS) },
    { filename: "店舗一覧.csv", content: toCsv(SHOPS) },
    { filename: "研修講座.md", content: `# 研修講座の一覧\n\n${toMarkdown(COURSES)}\n` },
    { filename: "energy.html", content: ENERGY_HTML },
    { filename: "projects.docx", content: toDocx(PROJECTS) },
    { filename: "山の一覧.html", content: toHtml(MOUNTAINS, "県境の山") },
  ];
}

interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function toCsv({ header, rows }: Table): string {
  const cell = (text: string) => (/[",]/.test(text) ? `"${text}"` : text);
  return [header, ...rows].map((cells) => cells.map(cell).join(",")).join("\n");
}

function toMarkdown({ header, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(header), line(header.map(() => "---")), ...rows.map(line)].join("\n");
}

function toHtml({ header, rows }: Table, title: string): string {
  const cells = (tag: string, list: readonly string[]) =>
    `<tr>${list.map((text) => `<${tag}>${text}</${tag}>`).join("")}</tr>`;
  return `<!doctype html><title>${title}</title><h1>${title}</h1><table>${cells("th", header)}${rows.map((each) => cells("td", each)).join("")}</table>`;
}

function toDocx({ header, rows }: Table): Buffer {
  return makeDocx({
    body: `${heading(1, "Project portfolio 2025")}${docxTable([header, ...rows])}`,
  });
}

/** The table begins in the third row, under a title, as sheets often do. */
function toXlsx({ header, rows }: Table): Buffer {
  const strings: string[] = [];
  const shared = (text: string) => `s${strings.push(text) - 1}`;
  const lines = [header, ...rows].map((cells, at) => row(at + 3, cells.map(shared)));
  const title = row(1, [shared("Spare parts in stock")]);
  return makeXlsx({ sheets: [{ name: "Spare parts", rows: title + lines.join("") }], strings });
}

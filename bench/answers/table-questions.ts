// Questions to tables. The gold of those to our own tables is computed from the rows, by other code than the server's.
import { COURSES, MOUNTAINS, OFFICES, PARTS, PROJECTS, SHOPS } from "./tables.ts";

export interface TableQuestion {
  readonly question: string;
  /** All of these must be in the answer. */
  readonly gold: readonly string[];
  /** Questions to one table are fitted or measured together. */
  readonly table: string;
}

interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const of =
  (table: string) =>
  (question: string, ...gold: readonly (string | number)[]) => ({
    question,
    gold: gold.map(String),
    table,
  });
const numberOf = (text: string) => Number(text.replace(/[^\d.-]/g, ""));

function read({ header, rows }: Table) {
  const at = (column: string) => header.indexOf(column);
  const value = (key: string, column: string) =>
    rows.find(([name]) => name === key)?.[at(column)] ?? "";
  const numbers = (column: string, where: (row: readonly string[]) => boolean = () => true) =>
    rows.filter(where).map((row) => numberOf(row[at(column)] ?? ""));
  const by = (
    column: string,
    most: boolean,
    where: (row: readonly string[]) => boolean = () => true,
  ) =>
    rows
      .filter(where)
      .toSorted(
        (a, b) => (numberOf(a[at(column)] ?? "") - numberOf(b[at(column)] ?? "")) * (most ? -1 : 1),
      )
      .map(([name]) => name ?? "");
  const is = (column: string, text: string) => (row: readonly string[]) => row[at(column)] === text;
  return { at, value, numbers, by, is, rows };
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);
const mean = (numbers: readonly number[]) => sum(numbers) / numbers.length;
const grouped = (value: number) => value.toLocaleString("en-US");
const dated = (rows: readonly (readonly string[])[], at: number) =>
  rows
    .toSorted((a, b) => Date.parse(a[at] ?? "") - Date.parse(b[at] ?? ""))
    .map(([name]) => name ?? "");

function offices(): readonly TableQuestion[] {
  const ask = of("offices");
  const { value, numbers, by, is, rows, at } = read(OFFICES);
  const opened = dated(rows, at("Opened"));
  return [
    ask("How many employees does the Leeds office have?", value("Leeds", "Employees")),
    ask("Who is the manager of the Denver office?", value("Denver", "Manager")),
    ask("When was the Nagoya office opened?", value("Nagoya", "Opened")),
    ask("What is the rent per month in Porto?", value("Porto", "Rent per month")),
    ask("In which country is the Austin office?", value("Austin", "Country")),
    ask("Which office has the most employees?", by("Employees", true)[0] ?? ""),
    ask("Which office has the fewest employees?", by("Employees", false)[0] ?? ""),
    ask("Which office has the lowest rent?", by("Rent per month", false)[0] ?? ""),
    ask("Which office has the second highest rent per month?", by("Rent per month", true)[1] ?? ""),
    ask("Which office opened first?", opened[0] ?? ""),
    ask("What is the newest office?", opened.at(-1) ?? ""),
    ask("How many offices are in Japan?", rows.filter(is("Country", "Japan")).length),
    ask(
      "How many employees work in the Portugal offices in total?",
      sum(numbers("Employees", is("Country", "Portugal"))),
    ),
    ask("What is the total number of employees of all offices?", sum(numbers("Employees"))),
    ask(
      "What is the average number of employees per office?",
      mean(numbers("Employees")).toFixed(2),
    ),
    ask("Which offices have more than 200 employees?", "Osaka", "Austin"),
    ask(
      "Which office in the United States has more employees?",
      by("Employees", true, is("Country", "United States"))[0] ?? "",
    ),
    ask("Which has more employees, Lisbon or Leeds?", "Leeds"),
    ask("What is the difference in employees between Osaka and Nagoya?", 310 - 65),
    ask("Who manages the office in Leeds?", value("Leeds", "Manager")),
    ask("オーサカ事務所ではなくOsakaの従業員数は？", value("Osaka", "Employees")),
  ];
}

function parts(): readonly TableQuestion[] {
  const ask = of("parts");
  const { value, numbers, by, is, rows } = read(PARTS);
  return [
    ask("What is the unit price of the gate valve GV-50?", value("Gate valve GV-50", "Unit price")),
    ask("How many flow sensors FS-40 are in stock?", value("Flow sensor FS-40", "Stock")),
    ask("Who supplies the dosing pump DP-1?", value("Dosing pump DP-1", "Supplier")),
    ask("How heavy is the gear pump GP-3?", value("Gear pump GP-3", "Weight")),
    ask("Which part is the most expensive?", by("Unit price", true)[0] ?? ""),
    ask("What is the cheapest part?", by("Unit price", false)[0] ?? ""),
    ask(
      "Which sensor is the cheapest?",
      by("Unit price", false, is("Category", "Sensors"))[0] ?? "",
    ),
    ask("What is the heaviest spare part?", by("Weight", true)[0] ?? ""),
    ask("Which part has the largest stock?", by("Stock", true)[0] ?? ""),
    ask("How many parts are in the Valves category?", rows.filter(is("Category", "Valves")).length),
    ask("How many parts does Hydrotek supply?", rows.filter(is("Supplier", "Hydrotek")).length),
    ask("What is the total stock of sensors?", sum(numbers("Stock", is("Category", "Sensors")))),
    ask(
      "What is the average unit price of the pumps?",
      grouped(mean(numbers("Unit price", is("Category", "Pumps")))),
    ),
    ask("Which parts cost more than $500?", "Gear pump GP-3", "Dosing pump DP-1"),
    ask("Which parts have a stock below 10?", "Check valve CV-25", "Gear pump GP-3"),
    ask(
      "How many parts cost less than $50?",
      numbers("Unit price").filter((price) => price < 50).length,
    ),
    ask("Which is cheaper, the ball valve BV-20 or the check valve CV-25?", "Ball valve BV-20"),
    ask(
      "Which category does the level switch LS-2 belong to?",
      value("Level switch LS-2", "Category"),
    ),
    ask("GP-3の単価はいくらですか？", value("Gear pump GP-3", "Unit price")),
  ];
}

function shops(): readonly TableQuestion[] {
  const ask = of("shops");
  const { value, numbers, by, is, rows } = read(SHOPS);
  return [
    ask("梅田店の店長は誰ですか？", value("梅田店", "店長")),
    ask("天神店の従業員数は何人ですか？", value("天神店", "従業員数")),
    ask("栄店はいつ開店しましたか？", value("栄店", "開店日")),
    ask("青葉店はどの都道府県にありますか？", value("青葉店", "都道府県")),
    ask("札幌駅前店の売上高はいくらですか？", value("札幌駅前店", "売上高（万円）")),
    ask("売上高が最も大きい店舗はどこですか？", by("売上高（万円）", true)[0] ?? ""),
    ask("従業員数が一番少ない店舗は？", by("従業員数", false)[0] ?? ""),
    ask("一番新しい店舗はどれですか？", "札幌駅前店"),
    ask("最も古い店舗はどこですか？", "梅田店"),
    ask("大阪府の店舗はいくつありますか？", rows.filter(is("都道府県", "大阪府")).length),
    ask("従業員数の合計は何人ですか？", sum(numbers("従業員数"))),
    ask(
      "大阪府の店舗の売上高の合計は？",
      grouped(sum(numbers("売上高（万円）", is("都道府県", "大阪府")))),
    ),
    ask(
      "売上高の平均はいくらですか？",
      grouped(Number(mean(numbers("売上高（万円）")).toFixed(2))),
    ),
    ask("従業員数が30人以上の店舗は？", "梅田店", "栄店", "なんば店"),
    ask("梅田店となんば店ではどちらが売上高が大きいですか？", "梅田店"),
    ask("山本翔が店長の店舗はどこですか？", "天神店"),
    ask("売上高が2番目に大きい店舗は？", by("売上高（万円）", true)[1] ?? ""),
    ask("Who is the manager of 梅田店?", value("梅田店", "店長")),
  ];
}

function courses(): readonly TableQuestion[] {
  const ask = of("courses");
  const { value, numbers, by } = read(COURSES);
  return [
    ask("統計の基礎の講師は誰ですか？", value("統計の基礎", "講師")),
    ask("機械学習演習の受講料はいくらですか？", value("機械学習演習", "受講料")),
    ask("英語プレゼンはいつ開催されますか？", value("英語プレゼン", "開催日")),
    ask("文書作成講座の会場はどこですか？", value("文書作成講座", "会場")),
    ask("表計算入門の定員は何名ですか？", value("表計算入門", "定員")),
    ask("受講料が一番高い講座は？", by("受講料", true)[0] ?? ""),
    ask("受講料が最も安い講座はどれですか？", by("受講料", false)[0] ?? ""),
    ask("定員が最大の講座は何ですか？", by("定員", true)[0] ?? ""),
    ask("中村聡が担当する講座はいくつですか？", 2),
    ask("第1会議室で開催される講座は何ですか？", "表計算入門", "英語プレゼン"),
    ask("受講料が10,000円以下の講座は？", "表計算入門", "文書作成講座"),
    ask("研修講座の定員の合計は何名ですか？", sum(numbers("定員"))),
  ];
}

function energy(): readonly TableQuestion[] {
  const ask = of("energy");
  return [
    ask("How much electricity did Birch Falls generate in winter?", 240),
    ask("What was the summer generation of Cove Ridge?", 95),
    ask("Which plant generated the most in winter?", "Alder Dam", 655),
    ask("Which plant had the lowest summer generation?", "Dune Park"),
    ask("Which wind plant generated more in winter?", "Cove Ridge"),
    ask("What was the total generation in winter?", "1,410"),
    ask("What is the total staff of all plants?", 88),
    ask("How many staff work at Alder Dam?", 48),
    ask("How many hydro plants are there?", 2),
    ask("Which plant has the smallest staff?", "Dune Park"),
    ask("In which season did Dune Park generate more?", "Winter"),
  ];
}

function projects(): readonly TableQuestion[] {
  const ask = of("projects");
  const { value, numbers, by, is } = read(PROJECTS);
  return [
    ask("Who owns the project Linnet?", value("Linnet", "Owner")),
    ask("What is the budget of Kestrel?", value("Kestrel", "Budget (k€)")),
    ask("When did the Ibis project start?", value("Ibis", "Start")),
    ask("What is the status of the Merlin project?", value("Merlin", "Status")),
    ask("Which project has the largest budget?", by("Budget (k€)", true)[0] ?? ""),
    ask("Which project started last?", "Merlin"),
    ask("Which project was the earliest to start?", "Heron"),
    ask("How many projects are running?", 3),
    ask("What is the total budget of the projects?", grouped(sum(numbers("Budget (k€)")))),
    ask(
      "What is the total budget of Maya Lind's projects?",
      grouped(sum(numbers("Budget (k€)", is("Owner", "Maya Lind")))),
    ),
    ask("Which project is paused?", "Linnet"),
    ask("Which projects does Oskar Falk own?", "Ibis", "Merlin"),
  ];
}

function mountains(): readonly TableQuestion[] {
  const ask = of("mountains");
  const { value, by } = read(MOUNTAINS);
  return [
    ask("鷹巣岳の標高は何メートルですか？", value("鷹巣岳", "標高（m）")),
    ask("一番高い山はどれですか？", by("標高（m）", true)[0] ?? ""),
    ask("最も標高が低い山は？", by("標高（m）", false)[0] ?? ""),
    ask("霧立山の登山口はどこですか？", value("霧立山", "登山口")),
    ask("標高2,000m以上の山はいくつありますか？", 2),
    ask("岐阜県にある山は何ですか？", "霧立山"),
  ];
}

/** To tables of the development documents, which are not part of this repository. */
export function documentQuestions(): readonly TableQuestion[] {
  const [cities, ducks, sales, taxes] = ["cities", "ducks", "sales", "taxes"].map(of);
  if (!cities || !ducks || !sales || !taxes) return [];
  return [
    cities("What is the largest city by population?", "Shanghai"),
    cities("Which small city has the lowest population?", "Longyearbyen"),
    cities("What is the latitude of Mumbai?", "18.96"),
    cities("How many of the big cities are in China?", 4),
    cities("What is the population of Istanbul?", "14657000"),
    cities("What is the total population of the big cities?", "198905700"),
    cities("Which big city has the second largest population?", "Karachi"),
    cities("What is the longitude of Auckland?", "174.74"),
    cities("人口が最も多い都市はどこですか？", "Shanghai"),
    ducks("In which year was the number of all ducks together highest?", 2024),
    ducks("How many freshwater ducks were counted in 2021?", 150),
    ducks("What is the total number of ducks in 2020?", 230),
    ducks("What was the average number of saltwater ducks?", "105.83"),
    ducks("Which year had the fewest ducks?", 2019),
    ducks("2022年の淡水のFreshwater Ducksは何羽ですか？", 170),
    sales("What were the Q3 sales in France?", "$45"),
    sales("Which region had the highest total sales?", "USA", "$695"),
    sales("In which quarter did Germany sell the most?", "Q4"),
    sales("What is the grand total of sales?", "$1,756"),
    sales("How much did Canada sell in Q2?", "$52"),
    sales("What was the actual annual revenue?", "$1,756K"),
    sales("What is the target growth rate?", "10%"),
    sales("Which European country had the lowest Q1 sales?", "France"),
    taxes(
      "What was the average tax rate in 2005 for a single person on full rate PRSI earning 30000?",
      "16.0%",
    ),
    taxes(
      "What was the average tax rate for self-employed single people earning 60000 in 2007?",
      "31.2%",
    ),
  ];
}

export function tableQuestions(): readonly TableQuestion[] {
  return [
    ...offices(),
    ...parts(),
    ...shops(),
    ...courses(),
    ...energy(),
    ...projects(),
    ...mountains(),
  ];
}

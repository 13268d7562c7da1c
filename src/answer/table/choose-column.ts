// Chooses a column when a question names none or several.
import { type Word, words } from "../../text/words.ts";
import { synonymsOf } from "../synonyms.ts";
import type { Column, Grid } from "./grid/grid.ts";
import type { NamedColumn } from "./match/match-columns.ts";
import type { Plan } from "./solve/plan.ts";
import type { TableQuestion } from "./table-question.ts";

/** The only column whose type fits "when", "who" or "how much". */
export function onlyFittingColumn(
  { ask }: TableQuestion,
  grid: Grid,
  naming: ReadonlySet<number>,
): number | undefined {
  const free = grid.columns
    .map((column, at) => ({ ...column, at }))
    .filter(({ at }) => !naming.has(at));
  const fit = free.filter(({ type, name }) => {
    if (ask.wants === "number") return type === "number";
    if (ask.wants === "date") return type === "date" || /\byear\b|年/iu.test(name);
    if (ask.wants === "person")
      return /name|owner|manager|lead|person|staff|author|担当|氏名|責任者|者$/iu.test(name);
    return (
      ask.wants === "place" &&
      /city|place|location|address|country|where|場所|住所|所在|会場/iu.test(name)
    );
  });
  return fit.length === 1 ? fit[0]?.at : undefined;
}

const QUANTITY =
  /\b(?:qty|quantity|count|units|pieces|pcs|copies|in stock|stock)\b|^(?:数量|数|個数|点数|在庫数?)$/iu;

/** The quantity column for "How many brackets were ordered?"; 冊数 for 何冊. */
export function quantityOf(
  question: TableQuestion,
  grid: Grid,
  naming: ReadonlySet<number>,
): number | undefined {
  return (
    countedBy(question, grid, naming) ?? onlyNumber(grid, naming, (name) => QUANTITY.test(name))
  );
}

/** The column that the question's counter refers to: 冊数 for 何冊. */
export function countedBy(
  { folded }: TableQuestion,
  grid: Grid,
  naming: ReadonlySet<number>,
): number | undefined {
  const counter = /何([冊人名台本枚件個回校社店室戸頭匹])/u.exec(folded)?.[1];
  return counter === undefined
    ? undefined
    : onlyNumber(grid, naming, (name) => name.includes(`${counter}数`));
}

function onlyNumber(
  { columns }: Grid,
  naming: ReadonlySet<number>,
  test: (name: string) => boolean,
): number | undefined {
  const fit = columns.flatMap(({ type, name }, at) =>
    type === "number" && !naming.has(at) && test(name) ? [at] : [],
  );
  return fit.length === 1 ? fit[0] : undefined;
}

/** The column to compare or add up: named, implied by unit or adjective, or the only candidate. */
export function measureOf({ match, grid, question, naming }: Plan): NamedColumn | undefined {
  const counts = ({ at }: { at: number }) => grid.columns[at]?.type !== "text";
  const named = withoutOperation(
    match,
    match.columns.filter((column) => counts(column) && !naming.has(column.at)),
  );
  const [best] = named;
  if (best) {
    const equal = named.filter(
      ({ share, matched }) => share === best.share && matched.size === best.matched.size,
    );
    return nearest(equal, question.ask.at);
  }
  const { hint, bounds } = question.ask;
  const dated = hint === "date" || hint === "age";
  const free = grid.columns.flatMap((column, at) =>
    column.type !== "text" &&
    !naming.has(at) &&
    at !== grid.key &&
    !(isLabelLike(column) && !(dated && isYears(grid, at)))
      ? [at]
      : [],
  );
  const counted = free.filter((at) => bounds.some(({ unit }) => isCountedIn(grid, at, unit)));
  if (counted.length === 1) return { at: counted[0] ?? 0, share: 0.8, matched: new Set() };
  const hinted = hint === "" ? [] : free.filter((at) => isHinted(grid, at, hint));
  const none = new Set<Word>();
  if (hinted.length === 1) return { at: hinted[0] ?? 0, share: 0.8, matched: none };
  return free.length === 1 ? { at: free[0] ?? 0, share: 0.5, matched: none } : undefined;
}

/** In "the grand total for Q4" the word "total" names a row or the operation, not the column Total. */
function withoutOperation(
  { operationWords }: Plan["match"],
  named: readonly NamedColumn[],
): readonly NamedColumn[] {
  const isNamed = ({ matched, share }: NamedColumn) =>
    share > 0.9 && [...matched].some((term) => !operationWords.has(term));
  const others = named.filter(isNamed);
  return others.length > 0 ? others : named;
}

/** "More than 500 km" is about the column with km in its name or cells. */
function isCountedIn({ columns, rows }: Grid, at: number, unit: string): boolean {
  if (unit === "") return false;
  const named = /[(（]([^)）]*)[)）]/u.exec(columns[at]?.name ?? "")?.[1] ?? "";
  const value = rows[0]?.values[at];
  const written = value?.kind === "number" ? [value.before, value.after] : [];
  return [named, ...written].some((each) => each.trim().toLowerCase() === unit);
}

function nearest(columns: readonly NamedColumn[], at: number): NamedColumn | undefined {
  const distance = ({ matched }: NamedColumn) =>
    Math.min(1e6, ...[...matched].map(({ start }) => Math.abs(start - at)));
  return columns.toSorted((a, b) => distance(a) - distance(b))[0];
}

export function isYears({ rows }: Grid, at: number): boolean {
  const values = rows.flatMap(({ values: own }) => own[at]?.value ?? []);
  return values.length > 0 && values.every((value) => value >= 1800 && value <= 2100);
}

/** Sequence numbers, codes and ranks are not quantities. */
function isLabelLike({ name }: Column): boolean {
  return /^(?:no\.?|#|id|rank|code|年|year|番号|順位|コード|no)$/iu.test(name.trim());
}

function isHinted(grid: Grid, at: number, hint: string): boolean {
  const column = grid.columns[at];
  if (hint === "date" && column?.type === "date") return true;
  if ((hint === "date" || hint === "age") && isYears(grid, at)) return true;
  const name = column?.name ?? "";
  const parts = new Set(words(name).map(({ key }) => key));
  const alike = [
    hint,
    ...synonymsOf(hint),
    ...(hint === "size" ? synonymsOf("population") : []),
    ...(hint === "date" ? synonymsOf("year") : []),
    ...(hint === "age" ? synonymsOf("founded").concat(synonymsOf("born"), synonymsOf("year")) : []),
  ];
  return alike.some(
    (word) =>
      words(word).some(({ key }) => parts.has(key)) ||
      (/\p{sc=Han}/u.test(word) && name.includes(word)),
  );
}

/** Of equally good matches, the column asked for: mentioned first in English, last in Japanese. */
export function askedFirst(
  { japanese }: TableQuestion,
  named: readonly NamedColumn[],
): NamedColumn | undefined {
  const [best] = named;
  const place = ({ matched }: NamedColumn) => {
    const starts = [...matched].map(({ start }) => start);
    return japanese ? -Math.max(...starts) : Math.min(...starts);
  };
  return named
    .filter(({ share, matched }) => share === best?.share && matched.size === best.matched.size)
    .toSorted((a, b) => place(a) - place(b))[0];
}

/** The column that contains the answer: a named text column, or else the one with the rows' names. */
export function answerColumn({ match, grid }: Plan, measure: number): number {
  const others = match.columns.filter(({ at }) => at !== measure);
  const worded = others.find(({ at }) => grid.columns[at]?.type === "text");
  // In "Which berth had the most tonnes?" the name is a number.
  return (worded ?? others.find(({ share }) => share > 0.99))?.at ?? grid.key;
}

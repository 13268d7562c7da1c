// Which column is meant where a question does not name one, or names more than one.
import { type Word, words } from "../../text/words.ts";
import type { NamedColumn, TableQuestion } from "./bind.ts";
import { sameAs } from "./concepts.ts";
import type { Column, Grid } from "./grid/grid.ts";
import type { Plan } from "./plan.ts";

/** Nothing names a column, but only one has what "when", "who" or "how much" asks for. */
export function byWish(
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

/** The column that is compared or added up: named, hinted at by the adjective, or the only one there is. */
export function measureOf({ binding, grid, question, naming }: Plan): NamedColumn | undefined {
  const counts = ({ at }: { at: number }) => grid.columns[at]?.type !== "text";
  const named = binding.columns.filter((column) => counts(column) && !naming.has(column.at));
  const [best] = named;
  if (best) {
    const equal = named.filter(
      ({ whole, said }) => whole === best.whole && said.size === best.said.size,
    );
    return nearest(equal, question.ask.at);
  }
  const free = grid.columns.flatMap((column, at) =>
    column.type !== "text" && !naming.has(at) && at !== grid.key && !isLabelLike(column)
      ? [at]
      : [],
  );
  const { hint } = question.ask;
  const hinted = hint === "" ? [] : free.filter((at) => isHinted(grid, at, hint));
  const none = new Set<Word>();
  if (hinted.length === 1) return { at: hinted[0] ?? 0, whole: 0.8, said: none };
  return free.length === 1 ? { at: free[0] ?? 0, whole: 0.5, said: none } : undefined;
}

function nearest(columns: readonly NamedColumn[], at: number): NamedColumn | undefined {
  const distance = ({ said }: NamedColumn) =>
    Math.min(1e6, ...[...said].map(({ start }) => Math.abs(start - at)));
  return columns.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** A running number, a code or a rank measures nothing. */
function isLabelLike({ name }: Column): boolean {
  return /^(?:no\.?|#|id|rank|code|年|year|番号|順位|コード|no)$/iu.test(name.trim());
}

function isHinted(grid: Grid, at: number, hint: string): boolean {
  const column = grid.columns[at];
  if (hint === "date" && column?.type === "date") return true;
  const name = column?.name ?? "";
  const parts = new Set(words(name).map(({ key }) => key));
  const alike = [
    hint,
    ...sameAs(hint),
    ...(hint === "size" ? sameAs("population") : []),
    ...(hint === "date" ? sameAs("year") : []),
    ...(hint === "age" ? sameAs("founded").concat(sameAs("born"), sameAs("year")) : []),
  ];
  return alike.some(
    (word) =>
      words(word).some(({ key }) => parts.has(key)) ||
      (/\p{sc=Han}/u.test(word) && name.includes(word)),
  );
}

/** What is asked for beside the measure: the named column of words, else the rows' names. */
export function answerColumn({ binding, grid }: Plan, measure: number): number {
  const named = binding.columns.find(
    ({ at }) => at !== measure && grid.columns[at]?.type === "text",
  );
  return named?.at ?? grid.key;
}

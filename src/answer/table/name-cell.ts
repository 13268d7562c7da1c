// Finds the one row and the one column that a question names. Every word of the question must belong to one of them, to
// the table's title, or to asking as such: a word left over may ask for something else.
import { isJapanese } from "../../text/scripts.ts";
import type { Line } from "../../text/table-lines.ts";
import { keysOf, type Word, words } from "../../text/words.ts";
import { type Grid, isValue } from "./grid.ts";

export interface FoundCell {
  readonly row: Line;
  readonly column: number;
  readonly value: string;
}

export interface TableQuestion {
  readonly folded: string;
  readonly words: readonly Word[];
  /** Keys of the words in the table's title and headings. */
  readonly about: ReadonlySet<string>;
}

/** Words that only ask. "Most", "before" and the like are not among them: they ask for a comparison. */
const ASKING = new Set(
  `what what's which who whose when where how is are was were be the a an of for in on at to by from with do does
  did has have had it its s give tell show me please there value listed table list much many`.split(
    /\s+/,
  ),
);
const ASKING_JA =
  /何[人回個円件時分番枚台本年月日]?|いくつ|いくら|どこ|どの|だれ|誰|いつ|どれ(?:くらい|ほど)?|です|ます|でしょう|ください|教えて|とは|[のはがをにでとも、。？?か「」\s]/gu;
const BLANK = /^(?:[-–—*.…?]*|n\/?a|none|null|tbd|なし|未定|不明)$/iu;
const MIN_NAME = 2;

export function toTableQuestion(query: string, about: string): TableQuestion {
  const folded = fold(query);
  return {
    folded,
    words: words(folded),
    about: keysOf(words(fold(about))),
  };
}

export function findCell(asked: TableQuestion, grid: Grid): FoundCell | undefined {
  const columns = longest(grid.names.map((name, at) => ({ at, range: rangeOf(asked, name) })));
  const [column] = columns;
  if (columns.length !== 1 || !column) return undefined;
  const only = onlyRow(grid.rows.map((row) => ({ row, ranges: rangesOf(asked, row, column) })));
  if (!only) return undefined;
  if (!isExplained(asked, [column.range, ...only.ranges])) return undefined;
  const value = only.row.cells[column.at] ?? "";
  return BLANK.test(value) ? undefined : { row: only.row, column: column.at, value };
}

type Range = readonly [start: number, end: number];

interface Named {
  readonly at: number;
  readonly range: Range;
}

interface NamedRow {
  readonly row: Line;
  readonly ranges: readonly Range[];
}

/** The row with everything that names a row; a category "Valves" does not count beside the name "Gate valve". */
function onlyRow(rows: readonly NamedRow[]): NamedRow | undefined {
  const all = rows.flatMap(({ ranges }) => ranges);
  const wanted = new Set(
    all.filter((range) => !all.some((other) => isInside(range, other))).map(String),
  );
  const whole = rows.filter(({ ranges }) => {
    const own = new Set(ranges.map(String));
    return wanted.size > 0 && [...wanted].every((range) => own.has(range));
  });
  return whole.length === 1 ? whole[0] : undefined;
}

/** Names inside a longer name that is there as well do not count: "price" in "unit price". */
function longest(names: readonly { at: number; range: Range | undefined }[]): readonly Named[] {
  const found = names.filter((each): each is Named => each.range !== undefined);
  return found.filter(({ range }) => !found.some((other) => isInside(range, other.range)));
}

function isInside([start, end]: Range, [from, to]: Range): boolean {
  return from <= start && to >= end && to - from > end - start;
}

/** The cells of the row that the question has, apart from the asked column's. */
function rangesOf(asked: TableQuestion, { cells }: Line, column: Named): readonly Range[] {
  const found = cells.map((cell, at) => ({
    at,
    // A number names a row only in the first column: anywhere else it is a value that happens to be equal.
    range: at === column.at || (at > 0 && isValue(cell)) ? undefined : rangeOf(asked, cell),
  }));
  const [from, to] = column.range;
  return longest(found)
    .map(({ range }) => range)
    .filter(([start, end]) => end <= from || start >= to);
}

/** Where the whole name is in the question, or what is before its first comma: "Tokyo" of "Tokyo, Japan". */
function rangeOf(asked: TableQuestion, name: string): Range | undefined {
  const bare = fold(name.replace(/[(（][^)）]*[)）]/gu, " ")).trim() || fold(name).trim();
  const [first = ""] = bare.split(/,(?!\d)|、/u, 1);
  return placeOf(asked, bare) ?? (first === bare ? undefined : placeOf(asked, first.trim()));
}

function placeOf(asked: TableQuestion, bare: string): Range | undefined {
  if (bare === "") return undefined;
  if (isJapanese(bare)) {
    const flat = bare.replace(/\s+/gu, "");
    const at = flat.length < MIN_NAME ? -1 : asked.folded.indexOf(flat);
    return at < 0 ? undefined : [at, at + flat.length];
  }
  const keys = words(bare).map(({ key }) => key);
  if (keys.length === 0 || keys.every((key) => ASKING.has(key))) return undefined;
  const own = asked.words;
  const first = own.findIndex((_, at) => keys.every((key, by) => own[at + by]?.key === key));
  const [start, end] = [own[first], own[first + keys.length - 1]];
  return start && end ? [start.start, end.end] : undefined;
}

function isExplained(
  { folded, words: own, about }: TableQuestion,
  ranges: readonly Range[],
): boolean {
  const isInside = ({ start, end }: Word) =>
    ranges.some(([from, to]) => start >= from && end <= to);
  if (!isJapanese(folded)) {
    return own.every((word) => isInside(word) || ASKING.has(word.text) || about.has(word.key));
  }
  let rest = folded;
  for (const [from, to] of ranges) {
    rest = rest.slice(0, from) + " ".repeat(to - from) + rest.slice(to);
  }
  const left = words(rest.replace(ASKING_JA, " "));
  return left.every(({ key, text }) => about.has(key) || !/[\p{L}\p{N}]/u.test(text));
}

/** Of the same length as the text where that matters: offsets are only compared with each other. */
function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

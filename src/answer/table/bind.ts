// Matches a question's words to a table's columns, rows and context.
import { isJapanese } from "../../text/scripts.ts";
import { type Word, words } from "../../text/words.ts";
import type { Asked } from "../asked/asked-words.ts";
import type { Ask } from "./ask/ask.ts";
import { conceptsOf } from "./concepts.ts";
import { nameByDate } from "./dates.ts";
import { foldInPlace } from "./grid/fold.ts";
import type { Grid, Row } from "./grid/grid.ts";
import type { Readable } from "./grid/readable.ts";

export interface TableQuestion {
  readonly text: string;
  readonly folded: string;
  readonly japanese: boolean;
  readonly ask: Ask;
  /** Its content words, including those for the computation. */
  readonly terms: readonly Word[];
  /** The words that name what is asked for. */
  readonly asked: Asked;
}

export interface NamedColumn {
  readonly at: number;
  /** The share of the name's words that are in the question. */
  readonly whole: number;
  readonly said: ReadonlySet<Word>;
}

/** Rows named by one part of the question. */
export interface NamedRows {
  readonly rows: ReadonlySet<Row>;
  readonly terms: readonly Word[];
  readonly start: number;
}

export interface Binding {
  readonly columns: readonly NamedColumn[];
  readonly named: readonly NamedRows[];
  /** Words that are in the title, the headings or the file name. */
  readonly context: ReadonlySet<Word>;
  readonly spoken: ReadonlySet<Word>;
}

const GENERIC =
  /^(?:tables?|sheets?|lists?|values?|rows?|columns?|records?|entr(?:y|ies)|data|figures?|according|shown?|given|listed|表|一覧|一覧表|データ|シート|行|列|値|記載|項目|ところ|もの|それぞれ|内訳|教え)$/iu;
/** Words for columns that are periods, as in "in which quarter did Spain sell the most?" */
const PERIOD = /^(?:quarter|month|season|period|year|四半期|期間)$/iu;
const LEAST_WHOLE = 0.5;
/** Weight of a synonym; the word itself counts 1. */
const ALIKE = 0.8;
/** What a column's name counts if the question says its number and about half of its words. */
const NUMBERED = 0.8;

export function bind(question: TableQuestion, grid: Grid): Binding {
  const spoken = new Set(question.terms.filter((term) => isSpoken(question.ask, term)));
  const compares = question.ask.operation.kind === "extreme";
  for (const term of question.terms)
    if (GENERIC.test(term.text) || (compares && PERIOD.test(term.text))) spoken.add(term);
  const columns = grid.columns
    .map(({ name, group }, at) => ({ at, ...matchColumn(question, name, group) }))
    .filter(({ whole }) => whole >= LEAST_WHOLE)
    .sort((a, b) => b.whole - a.whole || b.said.size - a.said.size);
  const context = new Set(matchText(question, grid.about));
  const named = nameRows(question, grid, { spoken, columns, context });
  return { columns, named, context, spoken };
}

function isSpoken({ spoken }: Ask, { start, end }: Word): boolean {
  return spoken.some(([from, to]) => start < to && end > from);
}

/** The column's own name decides; words of its group label break ties between columns of the same name. */
function matchColumn(question: TableQuestion, name: string, group: string) {
  const own = matchName(question, name === "" ? group : name);
  const over = group === "" ? undefined : matchName(question, group);
  return over && own.whole > 0 ? { ...own, said: new Set([...own.said, ...over.said]) } : own;
}

/** How much of a name is in the question: the same word counts fully, a synonym less. */
export function matchName(question: TableQuestion, name: string) {
  const bare = name.replace(/[(（][^)）]*[)）]/gu, " ").trim() || name;
  // Questions leave out the honorific: 使用量 for ご使用量.
  const flat = foldInPlace(bare)
    .replace(/\s+/gu, "")
    .replace(/^[ごお御](?=\p{sc=Han}{2})/u, "");
  if (isJapanese(flat)) {
    // Word segmentation varies in Japanese, so compare the whole name, then without its last character (名, 数, 日, …).
    const stem = /^(.{2,})[名日数者額率料先地]$/u.exec(flat)?.[1] ?? "";
    if (flat.length > 1 && question.folded.includes(flat)) {
      // Questions may say 担当者 for 担当.
      const person = [`${flat}者`, `${flat}員`].find((text) => question.folded.includes(text));
      return { whole: 1, said: termsAt(question, person ?? flat) };
    }
    if (isJapanese(stem) && question.folded.includes(stem))
      return { whole: 0.85, said: termsAt(question, stem) };
  }
  return matchWords(question, bare);
}

function termsAt({ terms, folded }: TableQuestion, text: string): ReadonlySet<Word> {
  const at = folded.indexOf(text);
  return new Set(terms.filter(({ start, end }) => start < at + text.length && end > at));
}

function matchWords({ terms, folded }: TableQuestion, name: string) {
  const said = new Set<Word>();
  const parts = nameWords(name);
  const head = headOf(parts, name);
  let sum = 0;
  for (const part of parts) {
    const own = terms.find(({ key }) => key === part.key);
    const term = own ?? terms.find(({ key }) => isAlike(key, part.key));
    if (term) said.add(term);
    const counts = own || isInside(folded, part) ? 1 : Number(term !== undefined) * ALIKE;
    sum += counts * (part === head ? 2 : 1);
  }
  const size = parts.length + (head ? 1 : 0);
  // "In 2006" names the column "FY 2006 Actual": no other has that number.
  const isNumbered = parts.some(
    ({ number, key }) => number && terms.some((term) => term.key === key),
  );
  if (isNumbered && sum >= size / 2 && said.size > 1) return { whole: NUMBERED, said };
  return { whole: size === 0 ? 0 : sum / size / (isVague(parts, said) ? 2 : 1), said };
}

function isInside(folded: string, { text }: Word): boolean {
  return isJapanese(text) && folded.includes(foldInPlace(text));
}

/** Only the generic part matches: 電話番号 and 部屋番号 share 番号 but are different things. */
function isVague(parts: readonly Word[], said: ReadonlySet<Word>): boolean {
  return parts.length > 1 && said.size > 0 && [...said].every(({ text }) => KIND.test(text));
}

const KIND = /^(?:番号|日付?|名前?|数量?|金?額|者|先|料金?|率|年月日|コード)$/u;

/** The head noun: "unit price" is a price, "rent per month" is a rent. */
function headOf(parts: readonly Word[], name: string): Word | undefined {
  // Japanese compounds end in a generic suffix (名, 数, 日) that questions leave out.
  if (isJapanese(name)) return undefined;
  const until = name.search(/\s(?:per|of|in|for|by)\s/iu);
  return until < 0 ? parts.at(-1) : parts.findLast(({ start }) => start < until);
}

function nameWords(name: string): readonly Word[] {
  const all = words(name);
  const content = all.filter((word) => word.content);
  return content.length > 0 ? content : all;
}

function isAlike(a: string, b: string): boolean {
  if (isRelated(a, b)) return true;
  const groups = conceptsOf(a);
  return groups.length > 0 && conceptsOf(b).some((group) => groups.includes(group));
}

/** Words with a common stem: "depart" and "departure", "weigh" and "weight". */
function isRelated(a: string, b: string): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  return /^[a-z]{5,}$/.test(short) && long.length - short.length <= 4 && long.startsWith(short);
}

/** The question's terms that a text contains. */
export function matchText({ terms }: TableQuestion, { keys, folded }: Readable): readonly Word[] {
  return terms.filter(
    (term) =>
      keys.has(term.key) || (isJapanese(term.text) && folded.includes(foldInPlace(term.text))),
  );
}

interface Known {
  readonly spoken: ReadonlySet<Word>;
  readonly columns: readonly NamedColumn[];
  /** Terms that all rows contain are added. */
  readonly context: Set<Word>;
}

function nameRows(
  question: TableQuestion,
  grid: Grid,
  { spoken, columns, context }: Known,
): readonly NamedRows[] {
  const lines = [...grid.rows, ...grid.totals].map((row) => ({ row, grid }));
  const dated = nameByDate(question, grid.rows);
  const found: NamedRows[] = [...dated];
  const inDates = new Set(dated.flatMap(({ terms }) => terms));
  for (const term of question.terms.filter((each) => !inDates.has(each))) {
    const isTotal = spoken.has(term) && conceptsOf(term.key).length > 0;
    if (spoken.has(term) && !isTotal) continue;
    const rows = new Set(lines.filter((line) => names(line, term, columns)).map(({ row }) => row));
    // A term in every row does not select any.
    if (rows.size === lines.length && lines.length > 1) context.add(term);
    if (rows.size === 0 || (rows.size === lines.length && lines.length > 1)) continue;
    if (isTotal && [...rows].some((row) => !grid.totals.includes(row))) continue;
    found.push({ rows, terms: [term], start: term.start });
  }
  return [...found, ...literal(question, lines)];
}

interface RowLine {
  readonly row: Row;
  readonly grid: Grid;
}

/** A substring check first, because splitting every cell of a long table into words would take too long. */
function names({ row, grid }: RowLine, term: Word, columns: readonly NamedColumn[]): boolean {
  const { folded } = row;
  const text = foldInPlace(term.text).replace(/'s$/u, "");
  if (isJapanese(text)) return text.length > 1 ? folded.includes(text) : isCell(row, text);
  if (term.number) return namesNumber(row, term, grid, columns);
  // "European" is about the rows under "Europe".
  if (row.section !== "" && words(row.section).some(({ key }) => isRelated(key, term.key)))
    return true;
  const stem = term.key.slice(0, Math.max(3, term.key.length - 1));
  if (!folded.includes(stem)) return false;
  return words(folded).some(({ key }) => key === term.key);
}

function isCell(row: Row, text: string): boolean {
  return row.cells.some((cell) => foldInPlace(cell) === text);
}

/** A number can name a row as year, code or key, but not as a value that happens to be equal. */
function namesNumber(row: Row, term: Word, grid: Grid, columns: readonly NamedColumn[]): boolean {
  const wanted = Number(term.key);
  return row.cells.some((cell, at) => {
    const value = row.values[at];
    const asked = at === grid.key || columns.some((column) => column.at === at);
    if (value?.kind === "number")
      return value.value === wanted && (asked || isYear(wanted) || at === 0);
    if (value?.kind === "date") return Math.floor(value.value / 10_000) === wanted;
    return cell !== "" && words(cell).some(({ key }) => key === term.key);
  });
}

function isYear(value: number): boolean {
  return value >= 1900 && value <= 2100;
}

/** A cell may list several things. */
function listed(cell: string): readonly string[] {
  return /[、，・]/u.test(cell) ? [cell, ...cell.split(/[、，・]/u)] : [cell];
}

/** Japanese cells are searched for as whole strings, because questions and cells may be segmented differently. */
function literal({ folded, terms, japanese }: TableQuestion, lines: readonly RowLine[]) {
  if (!japanese) return [];
  const byCell = new Map<string, Set<Row>>();
  for (const { row } of lines)
    for (const cell of [...row.cells, row.section].flatMap(listed)) {
      const flat = foldInPlace(cell);
      if (flat.length < 2 || flat.length > 30 || !/\p{L}/u.test(flat)) continue;
      if (folded.includes(flat)) byCell.set(flat, (byCell.get(flat) ?? new Set()).add(row));
    }
  return [...byCell].map(([cell, rows]): NamedRows => {
    const start = folded.indexOf(cell);
    const inside = terms.filter((term) => term.start < start + cell.length && term.end > start);
    return { rows, terms: inside, start };
  });
}

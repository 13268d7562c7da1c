// Tables of a page, built from the places of its words: columns are parted by white strips, rows by rules or, without
// them, by the distance of lines. The parser says where most tables are, but joins columns that are close together.
//
//   Season  Tier  Place        a strip that (almost) no line crosses parts two columns
//   1981/82  4    17th         a line without its first cell, close below another, goes on in it
import type { LayoutBlock, ParsedPage } from "@llamaindex/liteparse";
import type { Box } from "../box.ts";
import { isInColumns } from "../image/ocr/layout/columns.ts";
import { type Row, toRows } from "../image/ocr/layout/rows.ts";
import { toLine } from "../image/ocr/layout/table-lines.ts";
import { areWide, median, type OcrWord } from "../image/ocr/layout/word.ts";
import { isNumber } from "../tables/shape.ts";

// In widths of a letter: narrower strips are spaces.
const STRIP = 0.7;
const STRIP_OF_FEW = 1.4;
// To a point.
const STEPS = 4;
// In widths of a letter: what is closer is one word.
const SPACE = 0.2;
const FEW_LINES = 5;
// Of all lines: titles and labels over several columns.
const MAX_CROSSING = 0.08;
const SAME_PITCH = 1.08;
const MAX_CELL_LENGTH = 120;
// Characters of a cell, on average.
const PROSE = 30;
const MIN_FILLED = 0.5;
const MIN_FULL_ROWS = 0.5;
const MIN_COLUMNS = 3;
/** Lines that have as many cells. */
const MIN_FULL = 3;
// In heights.
const LINE_GAP = 3;
// Of the widest line: a shorter one may go on in a cell.
const PART = 0.5;

/** The blocks of a page, each table with all its columns, and tables where the parser saw only text. */
export function withTables(
  blocks: readonly LayoutBlock[],
  page: ParsedPage,
): readonly LayoutBlock[] {
  if (!blocks.some(({ kind }) => kind === "table") && !hasCells(page)) return blocks;
  const words = page.textItems
    .flatMap((item) => item.words ?? [item])
    .filter(({ text }) => text.trim() !== "")
    .map(({ text, x, y, width, height }) => ({ text, x, y, width, height, confidence: 1 }));
  const rows = toRows(words);
  const rules = rulesOf(page);
  const boxesOf = (kind: string) =>
    blocks.filter((block) => block.kind === kind).flatMap(({ bbox }) => bbox ?? []);
  const code = boxesOf("code");
  const letter = median(words.map(letterOf));
  const runs = runsOf(rows, letter);
  const maxProse = runs.length > 0 && isInColumns(rows) ? 0 : 1;
  const found = runs
    .map((run) => around(run.flat()))
    .filter((box) => !code.some((each) => overlaps(box, each)));
  const known = boxesOf("table").filter((box) => !found.some((each) => overlaps(box, each)));
  const rebuilt = (all: readonly LayoutBlock[], box: Box, least: number) =>
    withTable(all, gridIn(box, rows, { rules, letter, maxProse }), least);
  const own = found.reduce((all, box) => rebuilt(all, box, MIN_COLUMNS), blocks);
  return known.reduce((all, box) => rebuilt(all, box, 2), own);
}

/** A quick look: some lines have text in three places that are far apart. */
function hasCells({ textItems }: ParsedPage): boolean {
  const lines = Map.groupBy(textItems, ({ y, height }) => Math.round((y + height / 2) / 4));
  const isApart = (line: ParsedPage["textItems"]) => {
    const items = line.toSorted((a, b) => a.x - b.x);
    const gaps = items.slice(1).filter(({ x, height }, at) => {
      const before = items[at];
      return before !== undefined && x - before.x - before.width > height * 0.4;
    });
    return gaps.length >= MIN_COLUMNS - 1 || (gaps.length > 0 && items.length > MIN_COLUMNS);
  };
  return [...lines.values()].filter(isApart).length >= MIN_FULL;
}

/** Lines one below the other that have cells, with lines that may go on in one of them. */
function runsOf(rows: readonly Row[], letter: number): readonly Lines[] {
  const runs: (readonly OcrWord[])[][] = [];
  let open: (readonly OcrWord[])[] = [];
  let bottom = 0;
  const lines = rows.map((row) => ({
    ...toLine(row),
    cells: cellsIn(row.words, letter),
    words: row.words,
  }));
  const widest = Math.max(
    ...lines.map(({ cells }) => (cells.at(-1)?.right ?? 0) - (cells[0]?.left ?? 0)),
  );
  const end = () => {
    while (open.length > 0 && cellsOf(open.at(-1)).length < 2) open.pop();
    if (open.filter((line) => cellsOf(line).length >= MIN_COLUMNS).length >= MIN_FULL)
      runs.push(open);
    open = [];
  };
  const cellCounts = new Map(lines.map(({ words, cells }) => [words, cells] as const));
  const cellsOf = (line: readonly OcrWord[] = []) => cellCounts.get(line) ?? [];
  for (const { words, cells, top, bottom: under, height } of lines) {
    if (open.length > 0 && top - bottom > height * LINE_GAP) end();
    const isPart =
      cells.length === 1 && (cells[0]?.right ?? 0) - (cells[0]?.left ?? 0) < widest * PART;
    if (cells.length >= 2 || (isPart && open.length > 0)) open.push(words);
    else end();
    bottom = under;
  }
  end();
  return runs;
}

function withTable(
  blocks: readonly LayoutBlock[],
  grid: Grid | undefined,
  least: number,
): readonly LayoutBlock[] {
  if (grid === undefined) return blocks;
  const { box, cells } = grid;
  const covered = blocks.filter(({ bbox }) => bbox !== undefined && isInside(bbox, box));
  const [first] = covered;
  const full = cells.filter((row) => row.filter((text) => text !== "").length >= least);
  const olds = covered.flatMap(({ header = [], rows = [] }) => [header, ...rows]);
  const columns = Math.max(least, ...olds.map((row) => row.length));
  const isWide = (cells[0]?.length ?? 0) >= columns;
  if (first === undefined || !isWide || full.length < cells.length * MIN_FULL_ROWS) return blocks;
  const [header = [], ...body] = cells.map((row) => row.map((text) => ({ text })));
  const table: LayoutBlock = { kind: "table", header, rows: body, bbox: box };
  return blocks.flatMap((block) => {
    if (block === first) return [table];
    return covered.includes(block) ? [] : [block];
  });
}

interface Looking {
  readonly rules: readonly number[];
  /** The usual width of a letter. */
  readonly letter: number;
  /** How many columns may be prose. */
  readonly maxProse: number;
}

interface Grid {
  readonly box: Box;
  readonly cells: readonly (readonly string[])[];
}

/** Undefined if the words are not clearly in columns. */
function gridIn(
  box: Box,
  rows: readonly Row[],
  { rules, letter, maxProse }: Looking,
): Grid | undefined {
  const all = rows
    .map(({ words }) => words.filter((word) => isInside(word, box)))
    .filter((line) => line.length > 0);
  if (all.length < 2) return undefined;
  const starts = columnStarts(all, letter);
  const lines = withoutTitles(all, starts, letter);
  if (starts.length < 2 || lines.length < 2) return undefined;
  const columnOf = ({ x, width }: OcrWord) =>
    Math.max(
      0,
      starts.findLastIndex((start) => start <= x + width / 2),
    );
  const parts = lines.map((line) => {
    const inColumns = Map.groupBy(line, columnOf);
    return starts.map((_, column) => textOf(inColumns.get(column) ?? [], letter));
  });
  const groups = byRules(lines, parts, rules) ?? byPitch(lines, parts);
  const cells = groups.map((group) =>
    starts.map((_, column) => group.map((at) => parts[at]?.[column] ?? "").reduce(joined, "")),
  );
  const isFound = isTable(cells, proseIn(parts) <= maxProse);
  return isFound ? { box: around(lines.flat()), cells } : undefined;
}

/** How many columns have lines as long as a narrow column of prose has. */
function proseIn(lines: readonly (readonly string[])[]): number {
  const columns = (lines[0] ?? []).map((_, column) => lines.flatMap((line) => line[column] || []));
  const mean = (texts: readonly string[]) =>
    texts.reduce((sum, { length }) => sum + length, 0) / texts.length;
  return columns.filter((texts) => mean(texts) > PROSE).length;
}

/** Contents pages and scattered labels have rows too. */
function isTable(cells: readonly (readonly string[])[], isShort: boolean): boolean {
  const all = cells.flat().filter((text) => text !== "");
  return (
    isShort &&
    cells.length >= 2 &&
    all.length >= cells.flat().length * MIN_FILLED &&
    !all.some((text) => text.length > MAX_CELL_LENGTH || /\.{4}|…/.test(text))
  );
}

function joined(before: string, text: string): string {
  if (before === "" || text === "" || areWide(before, text)) return before + text;
  return `${before} ${text}`;
}

/** The parser also cuts words where letters are set a little apart. */
function textOf(words: readonly OcrWord[], letter: number): string {
  return words.reduce((before, { text, x }, at) => {
    const last = words[at - 1];
    const isOne = last !== undefined && x - last.x - last.width < letter * SPACE;
    return isOne ? before + text : joined(before, text);
  }, "");
}

/** Without lines at both ends that run over several columns. */
function withoutTitles(lines: Lines, starts: readonly number[], letter: number): Lines {
  const isTitle = (line: readonly OcrWord[] = []) => {
    const cells = cellsIn(line, letter);
    const isOver = ({ left, right }: { readonly left: number; readonly right: number }) =>
      starts.some((start) => start > left + letter && start < right - letter);
    return cells.length <= 2 && cells.some(isOver);
  };
  const from = lines.findIndex((line) => !isTitle(line));
  const to = lines.findLastIndex((line) => !isTitle(line));
  return from < 0 ? [] : lines.slice(from, to + 1);
}

/** A title's letters and spaces are larger. */
function cellsIn(words: readonly OcrWord[], letter: number) {
  const own = Math.max(letter, median(words.map(letterOf)));
  return toLine({ words }, (own * STRIP) / median(words.map(({ height }) => height))).cells;
}

const letterOf = ({ text, width }: OcrWord) => width / text.length;

/** Where each column begins, in the middle of the white before it. */
function columnStarts(lines: readonly (readonly OcrWord[])[], letter: number): readonly number[] {
  const all = lines.flat();
  const left = Math.min(...all.map(({ x }) => x));
  const right = Math.max(...all.map(({ x, width }) => x + width));
  const crossing = crossingOf(lines, left, Math.ceil((right - left) * STEPS));
  const isFew = lines.length < FEW_LINES;
  const most = isFew ? 0 : Math.max(1, Math.floor(lines.length * MAX_CROSSING));
  const narrowest = STEPS * letter * (isFew ? STRIP_OF_FEW : STRIP);
  const starts = [left];
  let from = 0;
  for (let at = 0; at <= crossing.length; at += 1) {
    const isWhite = (crossing[at] ?? lines.length) <= most && at < crossing.length;
    if (isWhite) continue;
    if (at - from >= narrowest && from > 0) starts.push(left + (from + at) / 2 / STEPS);
    from = at + 1;
  }
  // What is right of the last column is only the end of a long cell.
  const isUsed = (start: number) =>
    lines.filter((line) => line.some(({ x, width }) => x + width > start)).length > most;
  return starts.filter(isUsed);
}

type Lines = readonly (readonly OcrWord[])[];

const middle = (line: readonly OcrWord[]) => median(line.map(({ y, height }) => y + height / 2));

/** How many lines have a word at each place. */
function crossingOf(lines: Lines, left: number, places: number): Uint16Array {
  const crossing = new Uint16Array(places);
  for (const line of lines) {
    const covered = new Uint8Array(places);
    for (const { x, width } of line)
      covered.fill(1, Math.round((x - left) * STEPS), Math.round((x + width - left) * STEPS));
    // An iterator would make a pair for each of the thousands of places.
    for (let at = 0; at < places; at += 1) crossing[at] = (crossing[at] ?? 0) + (covered[at] ?? 0);
  }
  return crossing;
}

type Parts = readonly (readonly string[])[];

/** The numbers of the lines in each row. Undefined unless rules part all of them. */
function byRules(
  lines: Lines,
  parts: Parts,
  rules: readonly number[],
): readonly (readonly number[])[] | undefined {
  const levels = lines.map(middle);
  const above = levels.map((level) => rules.filter((y) => y < level).length);
  const groups = [...Map.groupBy(lines.keys(), (at) => above[at]).values()];
  const isRow = ([first = 0, ...more]: readonly number[]) =>
    more.every((at) => goesOn(parts[first] ?? [], parts[at] ?? []));
  return groups.length > lines.length / 4 && groups.every(isRow) ? groups : undefined;
}

/** A line that goes on in a row has fewer cells than its first, and no further numbers in them. */
function goesOn(first: readonly string[], own: readonly string[]): boolean {
  const numbers = own.filter((text, column) => isNumber(text) && isNumber(first[column] ?? ""));
  return own.filter(Boolean).length < first.filter(Boolean).length && numbers.length === 0;
}

/** A line that is as close as lines get may go on in the row above. */
function byPitch(lines: Lines, parts: Parts): readonly (readonly number[])[] {
  const pitches = lines.slice(1).map((line, at) => middle(line) - middle(lines[at] ?? []));
  const near = Math.min(...pitches) * SAME_PITCH;
  const areAlike = pitches.every((pitch) => pitch <= near);
  const groups: number[][] = [];
  for (const at of lines.keys()) {
    const open = groups.at(-1);
    const [own = [], first = []] = [parts[at], parts[open?.[0] ?? at]];
    const isShort = own[0] === "" && own.filter(Boolean).length <= own.length / 2;
    const isPart = goesOn(first, own) && (!areAlike || isShort);
    if (open !== undefined && isPart && (pitches[at - 1] ?? 0) <= near) open.push(at);
    else groups.push([at]);
  }
  return groups;
}

/** The heights at which a rule crosses much of the page. */
function rulesOf({ vectorGraphics, width }: ParsedPage): readonly number[] {
  const { lines = [], shapes = [] } = vectorGraphics ?? {};
  const flat = lines.filter(({ x1, x2, y1, y2 }) => Math.abs(y1 - y2) < 1 && Math.abs(x1 - x2) > 8);
  const thin = shapes.filter(({ bbox }) => bbox.height < 2 && bbox.width > 8);
  const parts = [
    ...flat.map(({ x1, x2, y1 }) => ({ y: y1, length: Math.abs(x1 - x2) })),
    ...thin.map(({ bbox }) => ({ y: bbox.y, length: bbox.width })),
  ].sort((a, b) => a.y - b.y);
  const rules: { y: number; length: number }[] = [];
  for (const part of parts) {
    const last = rules.at(-1);
    if (last !== undefined && part.y - last.y < 2) last.length += part.length;
    else rules.push({ ...part });
  }
  return rules.filter(({ length }) => length > width / 8).map(({ y }) => y);
}

function around(boxes: readonly Box[]): Box {
  const [x, y] = [Math.min(...boxes.map((box) => box.x)), Math.min(...boxes.map((box) => box.y))];
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

function overlaps(one: Box, other: Box): boolean {
  return one.y < other.y + other.height && other.y < one.y + one.height;
}

function isInside({ x, y, width, height }: Box, around: Box): boolean {
  const [across, down] = [x + width / 2 - around.x, y + height / 2 - around.y];
  return across >= 0 && across <= around.width && down >= 0 && down <= around.height;
}

// Numbers and dates as a spreadsheet shows them.
import { type FormatOptions, format, getFormatFromId, isDateFormat, isValidFormat } from "numfmt";
import { general } from "../chart.ts";
import { child, elements, type XmlElement } from "../xml.ts";

type NumberFormat = (value: number) => string;

/** How a number in a cell of this style is shown. */
export type FormatOf = (style: string | undefined) => NumberFormat;

export function openCellStyles(root: XmlElement | undefined, date1904: boolean): FormatOf {
  const codes = new Map<number, string>();
  for (const each of elements(child(root, "numFmts"))) {
    codes.set(Number(each.attributes["numFmtId"]), each.attributes["formatCode"] ?? "General");
  }
  const ids = elements(child(root, "cellXfs")).map((cell) =>
    Number(cell.attributes["numFmtId"] ?? 0),
  );
  const formatOf = openFormats(codes, date1904);
  return (style) => formatOf(style === undefined ? 0 : (ids[Number(style)] ?? 0));
}

/** By the format's number; those that the file does not define are built in. */
export function openFormats(
  codes: ReadonlyMap<number, string>,
  date1904: boolean,
): (id: number) => NumberFormat {
  const made = new Map<number, NumberFormat>([[0, general]]);
  return (id) => {
    const known = made.get(id) ?? numberFormat(codes.get(id) ?? builtIn(id), date1904);
    made.set(id, known);
    return known;
  };
}

const ISO = "yyyy-mm-dd";

/** Dates that each country writes in its own way are written in none of them. */
function builtIn(id: number): string {
  if (id === 22) return `${ISO} h:mm`;
  const isLocalDate = id === 14 || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58);
  return isLocalDate ? ISO : (getFormatFromId(id) ?? "General");
}

/** The longest code that a spreadsheet program accepts. */
const MAX_CODE_LENGTH = 255;
// Thousands separators are left out: 13298000 is found, computed with and quoted as stored, while 13,298,000 is another
// word to a search and another number to readers in some countries.
const OPTIONS: Partial<FormatOptions> = { grouping: [99, 99], dateSpanLarge: false };

export function numberFormat(written: string, date1904: boolean): NumberFormat {
  const code = written.replace("午前/午後", "AM/PM");
  const isKnown = code.length <= MAX_CODE_LENGTH && isValidFormat(code);
  if (!isKnown || /^(?:\[[^\]]*\])*general/i.test(code)) return general;
  const isDate = isDateFormat(code);
  const isJapanese = isDate && /a{3}|g|e/.test(code.replace(QUOTED, ""));
  const options = isJapanese ? { ...OPTIONS, locale: "ja" } : OPTIONS;
  return (value) => {
    const shown = isDate && date1904 ? value + 1462 : value;
    const text = format(isJapanese ? withEra(code, shown) : code, shown, options).trim();
    return text === "" && value !== 0 ? general(value) : text;
  };
}

const QUOTED = /"[^"]*"|\\.|\[[^\]]*\]/g;
const ERA_CODE = /"[^"]*"|\\.|\[[^\]]*\]|(g+)|(e+)/g;
/** From which date on, and the year before its first. */
const ERAS: readonly (readonly [number, number, string, string])[] = [
  [43586, 2018, "令和", "R"],
  [32516, 1988, "平成", "H"],
  [9856, 1925, "昭和", "S"],
  [4595, 1911, "大正", "T"],
  [0, 1867, "明治", "M"],
];

function withEra(code: string, value: number): string {
  const [, before = 0, name = "", letter = ""] = ERAS.find(([from]) => value >= from) ?? [];
  const year = String(Number(format("yyyy", value)) - before);
  return code.replace(ERA_CODE, (found, era?: string, years?: string) => {
    if (years !== undefined) return `"${year.padStart(years.length, "0")}"`;
    if (era === undefined) return found;
    return `"${era.length === 1 ? letter : name.slice(0, era.length === 2 ? 1 : undefined)}"`;
  });
}

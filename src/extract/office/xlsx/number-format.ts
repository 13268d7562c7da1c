// Numbers and dates as a spreadsheet shows them: the common parts of Excel's format codes.
import { child, elements, type XmlElement } from "../xml.ts";
import { formatDate } from "./date-format.ts";
import { builtInFormat, splitSections, type Token, tokenize } from "./format-code.ts";

type NumberFormat = (value: number) => string;

/** How a number in a cell of this style is shown. */
export type FormatOf = (style: string | undefined) => NumberFormat;

export function openCellStyles(root: XmlElement | undefined, date1904: boolean): FormatOf {
  const codes = new Map<number, string>();
  for (const format of elements(child(root, "numFmts"))) {
    codes.set(Number(format.attributes["numFmtId"]), format.attributes["formatCode"] ?? "General");
  }
  const ids = elements(child(root, "cellXfs")).map((cell) =>
    Number(cell.attributes["numFmtId"] ?? 0),
  );
  const made = new Map<number, NumberFormat>();
  return (style) => {
    const id = style === undefined ? 0 : (ids[Number(style)] ?? 0);
    if (id === 0) return general;
    const known = made.get(id) ?? numberFormat(codes.get(id) ?? builtInFormat(id), date1904);
    made.set(id, known);
    return known;
  };
}

/** The longest code that a spreadsheet program accepts. */
const MAX_CODE_LENGTH = 255;

export function numberFormat(code: string, date1904: boolean): NumberFormat {
  if (code.length > MAX_CODE_LENGTH) return general;
  const sections = splitSections(code);
  const first = sections[0] ?? "General";
  const parsed = sections.map((section) => toSection(section, date1904));
  return (value) => {
    const at = sectionFor(value, parsed.length);
    const section = parsed[at];
    if (section === undefined || /general/i.test(first)) return general(value);
    // The second section has its own sign or brackets.
    const shown = section(at === 1 ? Math.abs(value) : value);
    return shown.trim() === "" && value !== 0 ? general(value) : shown.trim();
  };
}

/** Chooses the section for positive, negative or zero, if the code has it. */
function sectionFor(value: number, sections: number): 0 | 1 | 2 {
  if (sections > 2 && value === 0) return 2;
  return sections > 1 && value < 0 ? 1 : 0;
}

/** A plain number without binary rounding errors. */
export function general(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return String(Number(value.toPrecision(11)));
}

function toSection(code: string, date1904: boolean): (value: number) => string {
  const tokens = tokenize(code);
  if (tokens.some((token) => token.kind === "date")) {
    return (value) => formatDate(value, tokens, date1904) ?? general(value);
  }
  return (value) => formatNumber(value, tokens, code);
}

function formatNumber(value: number, tokens: readonly Token[], code: string): string {
  const pattern = tokens
    .filter((token) => token.kind === "digits")
    .map((token) => token.text)
    .join("");
  if (pattern.replaceAll("%", "") === "") {
    const literal = tokens
      .map((token) => (token.text === "@" ? general(value) : token.text))
      .join("");
    return /@/.test(code) || literal.trim() !== "" ? literal : general(value);
  }
  const scale = /,+(?=[^#0?]*$)/.exec(pattern.replace(/%/g, ""))?.[0].length ?? 0;
  const percent = pattern.includes("%") ? 100 : 1;
  const shown = digitsOf((value * percent) / 1000 ** scale, pattern.replaceAll("%", ""));
  let done = false;
  const text = tokens.map((token) => {
    if (token.kind !== "digits") return token.text;
    if (token.text === "%") return "%";
    const rest = done ? "" : shown;
    done = true;
    return token.text.endsWith("%") ? `${rest}%` : rest;
  });
  return text.join("");
}

function digitsOf(value: number, pattern: string): string {
  const exponent = /E([+-])(0+)/i.exec(pattern);
  const decimals = /\.([0#?]*)/.exec(pattern)?.[1] ?? "";
  const least = decimals.replace(/[^0]/g, "").length;
  if (exponent !== null) {
    const [mantissa = "", power = "0"] = value.toExponential(decimals.length).split("e");
    const digits = String(Math.abs(Number(power))).padStart(exponent[2]?.length ?? 2, "0");
    return `${mantissa}E${Number(power) < 0 ? "-" : "+"}${digits}`;
  }
  if (pattern.includes("/")) return fraction(value);
  const fixed = roundTo(Math.abs(value), Math.min(decimals.length, 15));
  const [whole = "0", part = ""] = fixed.split(".");
  const trimmed = part.replace(/0+$/, "").padEnd(least, "0");
  const integers = (pattern.split(".")[0] ?? "").replace(/[^0#?]/g, "");
  const zeros = integers.replace(/[^0]/g, "").length;
  const padded = whole === "0" && zeros === 0 ? "" : whole.padStart(zeros, "0");
  const sign = value < 0 && Number(fixed) !== 0 ? "-" : "";
  // Thousands separators are left out: 13298000 is found, computed with and quoted as stored, while
  // 13,298,000 is another word to a search and another number to readers in some countries.
  return sign + padded + (trimmed === "" ? "" : `.${trimmed}`);
}

/** Rounds half up on the decimal that people see: 1.005 becomes 1.01. */
function roundTo(value: number, decimals: number): string {
  return Number(value.toPrecision(15)).toFixed(decimals) === value.toFixed(decimals)
    ? Number(
        `${Math.round(Number(`${Number(value.toPrecision(15))}e${decimals}`))}e-${decimals}`,
      ).toFixed(decimals)
    : value.toFixed(decimals);
}

function fraction(value: number): string {
  const whole = Math.trunc(value);
  const rest = Math.abs(value - whole);
  for (let below = 1; below <= 99; below += 1) {
    const above = Math.round(rest * below);
    if (Math.abs(above / below - rest) < 0.005) {
      if (above === 0) return String(whole);
      return `${whole === 0 ? "" : `${whole} `}${above}/${below}`;
    }
  }
  return general(value);
}

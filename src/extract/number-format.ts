// Numbers and dates as a spreadsheet shows them: the common parts of Excel's format codes.

const BUILT_IN: Readonly<Record<number, string>> = {
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  9: "0%",
  10: "0.00%",
  11: "0.00E+00",
  12: "# ?/?",
  13: "# ??/??",
  14: "yyyy-mm-dd",
  15: "d-mmm-yy",
  16: "d-mmm",
  17: "mmm-yy",
  18: "h:mm AM/PM",
  19: "h:mm:ss AM/PM",
  20: "h:mm",
  21: "h:mm:ss",
  22: "yyyy-mm-dd h:mm",
  27: "yyyy-mm-dd",
  28: "yyyy-mm-dd",
  29: "yyyy-mm-dd",
  30: "yyyy-mm-dd",
  31: "yyyy-mm-dd",
  32: "h:mm",
  33: "h:mm:ss",
  36: "yyyy-mm-dd",
  37: "#,##0",
  38: "#,##0",
  39: "#,##0.00",
  40: "#,##0.00",
  45: "mm:ss",
  46: "[h]:mm:ss",
  47: "mm:ss.0",
  48: "##0.0E+0",
  49: "@",
  50: "yyyy-mm-dd",
  51: "yyyy-mm-dd",
  52: "yyyy-mm-dd",
  53: "yyyy-mm-dd",
  54: "yyyy-mm-dd",
  55: "yyyy-mm-dd",
  56: "yyyy-mm-dd",
  57: "yyyy-mm-dd",
  58: "yyyy-mm-dd",
};

export type NumberFormat = (value: number) => string;

/** The code of a number format id that the file does not define itself. */
export function builtInFormat(id: number): string {
  return BUILT_IN[id] ?? "General";
}

export function numberFormat(code: string, date1904: boolean): NumberFormat {
  const sections = splitSections(code);
  const first = sections[0] ?? "General";
  const parsed = sections.map((section) => toSection(section, date1904));
  return (value) => {
    const at = parsed.length > 2 && value === 0 ? 2 : parsed.length > 1 && value < 0 ? 1 : 0;
    const section = parsed[at];
    if (section === undefined || /general/i.test(first)) return general(value);
    // The second section has its own sign or brackets.
    const shown = section(at === 1 ? Math.abs(value) : value);
    return shown.trim() === "" && value !== 0 ? general(value) : shown.trim();
  };
}

/** A plain number without the noise of binary fractions. */
export function general(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return String(Number(value.toPrecision(11)));
}

type Token =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "digits"; readonly text: string }
  | { readonly kind: "date"; readonly text: string };

function toSection(code: string, date1904: boolean): (value: number) => string {
  const tokens = tokenize(code);
  if (tokens.some((token) => token.kind === "date")) {
    return (value) => formatDate(value, tokens, date1904);
  }
  return (value) => formatNumber(value, tokens, code);
}

function splitSections(code: string): readonly string[] {
  return code.match(/(?:"[^"]*"|\\.|\[[^\]]*\]|[^;"\\])+/g) ?? [code];
}

const TOKEN =
  /"([^"]*)"|\\(.)|_.|\*.|\[\$([^\]-]*)(?:-[^\]]*)?\]|\[(h+|m+|s+)\]|\[[^\]]*\]|(AM\/PM|A\/P|午前\/午後)|(e+(?![+-])|g+|y+|m+|d+|h+|s+(?:\.0+)?|a{3,4})|([#0?](?:[#0?.,/]| (?=[#0?]))*(?:E[+-]0+)?|\.0+|%)|([\s\S])/gi;

function tokenize(code: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const found of code.matchAll(TOKEN)) {
    const [, quoted, escaped, currency, elapsed, half, date, digits, other] = found;
    const text = quoted ?? escaped ?? currency ?? other;
    if (text !== undefined) tokens.push({ kind: "text", text });
    else if (elapsed !== undefined)
      tokens.push({ kind: "date", text: `[${elapsed.toLowerCase()}]` });
    else if (half !== undefined) tokens.push({ kind: "date", text: "am/pm" });
    else if (date !== undefined) tokens.push({ kind: "date", text: date.toLowerCase() });
    else if (digits !== undefined) tokens.push({ kind: "digits", text: digits });
  }
  return tokens;
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
  // Without the separators of thousands: 13298000 is found, computed with and quoted as it is stored, while
  // 13,298,000 is another word to a search, and another number to a reader from another country.
  return sign + padded + (trimmed === "" ? "" : `.${trimmed}`);
}

/** Half up on the decimal that people see: 1.005 shows as 1.01. */
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

const MONTHS = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];
const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const ERAS: readonly (readonly [number, number, string, string])[] = [
  [Date.UTC(2019, 4, 1), 2018, "令和", "R"],
  [Date.UTC(1989, 0, 8), 1988, "平成", "H"],
  [Date.UTC(1926, 11, 25), 1925, "昭和", "S"],
  [Date.UTC(1912, 6, 30), 1911, "大正", "T"],
  [Date.UTC(1868, 0, 1), 1867, "明治", "M"],
];

/** A serial number as a date: days since the end of 1899, with the leap day that 1900 never had. */
function serialDate(value: number, date1904: boolean): Date {
  const days = date1904 ? value + 1462 : value < 60 ? value + 1 : value;
  return new Date(Math.round((days - 25569) * 86_400_000));
}

function formatDate(value: number, tokens: readonly Token[], date1904: boolean): string {
  const date = serialDate(value, date1904);
  if (Number.isNaN(date.getTime()) || value < 0 || value > 2_958_466) return general(value);
  const twelve = tokens.some((token) => token.text === "am/pm");
  return tokens
    .map((token, at) => {
      if (token.kind === "text") return token.text === "@" ? "" : token.text;
      if (token.kind === "digits")
        return token.text.startsWith(".")
          ? fractionOfSecond(value, token.text.length - 1)
          : token.text;
      return datePart(token.text, { date, value, twelve, minutes: isMinutes(tokens, at) });
    })
    .join("")
    .trim();
}

function fractionOfSecond(value: number, digits: number): string {
  const seconds = (value * 86_400) % 1;
  return seconds.toFixed(digits).slice(1);
}

interface Moment {
  readonly date: Date;
  readonly value: number;
  readonly twelve: boolean;
  readonly minutes: boolean;
}

function datePart(code: string, { date, value, twelve, minutes }: Moment): string {
  const pad = (number: number) =>
    code.length > 1 ? String(number).padStart(2, "0") : String(number);
  const hours = date.getUTCHours();
  const era = ERAS.find(([from]) => date.getTime() >= from);
  switch (code[0]) {
    case "y":
      return code.length <= 2
        ? String(date.getUTCFullYear()).slice(-2)
        : String(date.getUTCFullYear());
    case "e":
      return era === undefined
        ? String(date.getUTCFullYear())
        : pad(date.getUTCFullYear() - era[1]);
    case "g":
      return era === undefined
        ? ""
        : code.length === 1
          ? era[3]
          : code.length === 2
            ? era[2].slice(0, 1)
            : era[2];
    case "m":
      return minutes ? pad(date.getUTCMinutes()) : month(code, date.getUTCMonth());
    case "d":
      return code.length > 2
        ? (DAYS[date.getUTCDay()] ?? "").slice(0, code.length === 3 ? 3 : 9)
        : pad(date.getUTCDate());
    case "a":
      return code === "am/pm"
        ? hours < 12
          ? "AM"
          : "PM"
        : `${"日月火水木金土"[date.getUTCDay()]}${code.length > 3 ? "曜日" : ""}`;
    case "h":
      return pad(twelve ? hours % 12 || 12 : hours);
    case "s":
      return code.includes(".")
        ? ((value * 86_400) % 60)
            .toFixed(code.length - code.indexOf(".") - 1)
            .padStart(code.length, "0")
        : pad(date.getUTCSeconds());
    default:
      return elapsed(code, value);
  }
}

function month(code: string, at: number): string {
  const name = MONTHS[at] ?? "";
  if (code.length > 3) return code.length === 5 ? name.slice(0, 1) : name;
  if (code.length === 3) return name.slice(0, 3);
  return code.length === 2 ? String(at + 1).padStart(2, "0") : String(at + 1);
}

/** Time that runs past a day: [h], [m], [s]. */
function elapsed(code: string, value: number): string {
  const per = code[1] === "h" ? 24 : code[1] === "m" ? 1440 : 86_400;
  return String(Math.floor(value * per + 1e-9)).padStart(code.length - 2, "0");
}

/** `m` after hours or before seconds means minutes. */
function isMinutes(tokens: readonly Token[], at: number): boolean {
  const dates = (some: readonly Token[]) =>
    some.filter((token) => token.kind === "date" && token.text !== "am/pm");
  const before = dates(tokens.slice(0, at)).at(-1)?.text ?? "";
  const after = dates(tokens.slice(at + 1))[0]?.text ?? "";
  return /^\[?h/.test(before) || /^\[?s/.test(after);
}

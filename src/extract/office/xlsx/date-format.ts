// Serial numbers as the dates and times that a spreadsheet shows, Japanese eras among them.
import type { Token } from "./format-code.ts";

const MONTHS =
  "January February March April May June July August September October November December".split(
    " ",
  );
const DAYS = "Sunday Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
const ERAS: readonly (readonly [number, number, string, string])[] = [
  [Date.UTC(2019, 4, 1), 2018, "令和", "R"],
  [Date.UTC(1989, 0, 8), 1988, "平成", "H"],
  [Date.UTC(1926, 11, 25), 1925, "昭和", "S"],
  [Date.UTC(1912, 6, 30), 1911, "大正", "T"],
  [Date.UTC(1868, 0, 1), 1867, "明治", "M"],
];

/** Serial numbers count days since the end of 1899, including a leap day that 1900 did not have. */
function serialDate(value: number, date1904: boolean): Date {
  const since1900 = value < 60 ? value + 1 : value;
  const days = date1904 ? value + 1462 : since1900;
  return new Date(Math.round((days - 25569) * 86_400_000));
}

/** Undefined for numbers that are not a date. */
export function formatDate(
  value: number,
  tokens: readonly Token[],
  date1904: boolean,
): string | undefined {
  const date = serialDate(value, date1904);
  if (Number.isNaN(date.getTime()) || value < 0 || value > 2_958_466) return undefined;
  const twelve = tokens.some((token) => token.text === "am/pm");
  return tokens
    .map((token, at) => {
      if (token.kind === "text") return token.text === "@" ? "" : token.text;
      if (token.kind === "digits")
        return token.text.startsWith(".")
          ? ((value * 86_400) % 1).toFixed(token.text.length - 1).slice(1)
          : token.text;
      const part = PARTS.get(token.text.charAt(0)) ?? elapsed;
      return part(token.text, { date, value, twelve, minutes: isMinutes(tokens, at) });
    })
    .join("")
    .trim();
}

interface Moment {
  readonly date: Date;
  readonly value: number;
  readonly twelve: boolean;
  readonly minutes: boolean;
}

type DatePart = (code: string, moment: Moment) => string;

// By the code's first letter; `m` is a month or minutes.
const PARTS = new Map(
  Object.entries<DatePart>({
    y: (code, { date }) => String(date.getUTCFullYear()).slice(code.length <= 2 ? -2 : 0),
    e: (code, { date }) => pad(code, date.getUTCFullYear() - (eraOf(date)?.[1] ?? 0)),
    g: (code, { date }) => {
      const [, , name = "", letter = ""] = eraOf(date) ?? [];
      return code.length === 1 ? letter : name.slice(0, code.length === 2 ? 1 : undefined);
    },
    d: (code, { date }) =>
      code.length > 2 ? shortened(code, DAYS[date.getUTCDay()]) : pad(code, date.getUTCDate()),
    a: (code, { date }) => {
      if (code === "am/pm") return date.getUTCHours() < 12 ? "AM" : "PM";
      return `${"日月火水木金土"[date.getUTCDay()]}${code.length > 3 ? "曜日" : ""}`;
    },
    m: (code, { date, minutes }) => (minutes ? pad(code, date.getUTCMinutes()) : month(code, date)),
    h: (code, { date, twelve }) => {
      const hours = date.getUTCHours();
      return pad(code, twelve ? hours % 12 || 12 : hours);
    },
    s: (code, { date, value }) => {
      if (!code.includes(".")) return pad(code, date.getUTCSeconds());
      const digits = code.length - code.indexOf(".") - 1;
      return ((value * 86_400) % 60).toFixed(digits).padStart(code.length, "0");
    },
  }),
);

function eraOf(date: Date) {
  return ERAS.find(([from]) => date.getTime() >= from);
}

function month(code: string, date: Date): string {
  if (code.length < 3) return pad(code, date.getUTCMonth() + 1);
  return shortened(code, MONTHS[date.getUTCMonth()]);
}

/** Three letters of the code stand for three letters, five for one. */
function shortened(code: string, name = ""): string {
  if (code.length === 5) return name.slice(0, 1);
  return code.length === 3 ? name.slice(0, 3) : name;
}

function pad(code: string, number: number): string {
  return code.length > 1 ? String(number).padStart(2, "0") : String(number);
}

const UNITS_A_DAY = new Map(Object.entries({ h: 24, m: 1440, s: 86_400 }));

/** Formats durations that may exceed a day: [h], [m], [s]. */
function elapsed(code: string, { value }: Moment): string {
  const per = UNITS_A_DAY.get(code.charAt(1)) ?? 86_400;
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

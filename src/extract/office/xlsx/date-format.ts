// Serial numbers as the dates and times that a spreadsheet shows, Japanese eras among them.
import type { Token } from "./format-code.ts";

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

function datePart(code: string, moment: Moment): string {
  const { date } = moment;
  switch (code[0]) {
    case "y":
      return String(date.getUTCFullYear()).slice(code.length <= 2 ? -2 : 0);
    case "e":
      return pad(code, date.getUTCFullYear() - (eraOf(date)?.[1] ?? 0));
    case "g":
      return eraName(code, date);
    case "d":
      return code.length > 2 ? weekday(code, date) : pad(code, date.getUTCDate());
    case "a":
      return code === "am/pm" ? halfDay(date) : weekdayJa(code, date);
    default:
      return timePart(code, moment);
  }
}

/** `m` is a month or minutes. */
function timePart(code: string, { date, value, twelve, minutes }: Moment): string {
  switch (code[0]) {
    case "m":
      return minutes ? pad(code, date.getUTCMinutes()) : month(code, date.getUTCMonth());
    case "h":
      return pad(code, twelve ? date.getUTCHours() % 12 || 12 : date.getUTCHours());
    case "s":
      return code.includes(".")
        ? secondsWithFraction(code, value)
        : pad(code, date.getUTCSeconds());
    default:
      return elapsed(code, value);
  }
}

function pad(code: string, number: number): string {
  return code.length > 1 ? String(number).padStart(2, "0") : String(number);
}

function halfDay(date: Date): string {
  return date.getUTCHours() < 12 ? "AM" : "PM";
}

function eraOf(date: Date) {
  return ERAS.find(([from]) => date.getTime() >= from);
}

function eraName(code: string, date: Date): string {
  const [, , name = "", letter = ""] = eraOf(date) ?? [];
  if (code.length === 1) return letter;
  return code.length === 2 ? name.slice(0, 1) : name;
}

function weekday(code: string, date: Date): string {
  const name = DAYS[date.getUTCDay()] ?? "";
  return code.length === 3 ? name.slice(0, 3) : name;
}

function weekdayJa(code: string, date: Date): string {
  return `${"日月火水木金土"[date.getUTCDay()]}${code.length > 3 ? "曜日" : ""}`;
}

function secondsWithFraction(code: string, value: number): string {
  const digits = code.length - code.indexOf(".") - 1;
  return ((value * 86_400) % 60).toFixed(digits).padStart(code.length, "0");
}

function month(code: string, at: number): string {
  const name = MONTHS[at] ?? "";
  if (code.length > 3) return code.length === 5 ? name.slice(0, 1) : name;
  if (code.length === 3) return name.slice(0, 3);
  return code.length === 2 ? String(at + 1).padStart(2, "0") : String(at + 1);
}

const UNITS_A_DAY = new Map(Object.entries({ h: 24, m: 1440, s: 86_400 }));

/** Formats durations that may exceed a day: [h], [m], [s]. */
function elapsed(code: string, value: number): string {
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

// Parses a cell's text as a number with its unit, or as a date.

export interface CellNumber {
  readonly kind: "number";
  readonly value: number;
  /** Text before and after the digits: "$", "%", "km", 円. */
  readonly before: string;
  readonly after: string;
  readonly decimals: number;
}

interface CellDate {
  readonly kind: "date";
  /** yyyymmdd; a missing month or day is 0. */
  readonly value: number;
}

export type CellValue = CellNumber | CellDate;

const LONGEST = 60;
// Longer text after the digits means that the cell only mentions a number.
const LONGEST_UNIT = 14;

const NUMBER =
  /^(?<before>[^\p{L}\p{N}(（.\-−–▲△]{0,3}|(?:USD?|CAD?|AUD?|EUR|GBP|JPY|CHF|RM|Rs)[.$]?\s?|約\s?)(?<minus>[(（]?[-−–▲△]?)\s?(?<money>[$€£¥￥]?)\s?(?<digits>\d[\d,.' ]*\d|\d|\.\d+)\s?(?<scale>兆|億|万|千|[kKMB](?![\p{L}])|thousand|million|billion|trillion)?(?<rest>.*)$/u;
const SCALES: Readonly<Record<string, number>> = {
  兆: 1e12,
  億: 1e8,
  万: 1e4,
  千: 1e3,
  k: 1e3,
  K: 1e3,
  M: 1e6,
  B: 1e9,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
};

export function readValue(cell: string): CellValue | undefined {
  const text = cell.normalize("NFKC").trim();
  if (text === "" || text.length > LONGEST || !/\d/.test(text)) return undefined;
  return readDate(text) ?? readNumber(text);
}

/** Placeholders count as empty, so that "n/a" does not turn a number column into text. */
export function isBlank(cell: string): boolean {
  return cell === "" || /^(?:[-–—*.…?]+|n\/?a|none|null|tbd|なし|未定|不明)$/iu.test(cell);
}

function readNumber(text: string): CellNumber | undefined {
  const parts = NUMBER.exec(text)?.groups;
  if (parts === undefined) return undefined;
  const { before = "", minus = "", money = "", digits = "", scale, rest = "" } = parts;
  const plain = toPlainDigits(digits.replace(/[' ]/g, ""), money !== "" || /[€]/.test(rest));
  if (plain === undefined) return undefined;
  const unit = rest.replace(/[)）]/g, "").trim();
  const compound = scale === "億" || scale === "万" ? readMore(unit) : undefined;
  // Several numbers ("10-20", "1:30", "3 of 5") are not one value.
  const several = compound === undefined && /^[-–:/x×]?\s*\d|^of \d|^\/\s/.test(unit);
  if (several || unit.length > LONGEST_UNIT) return undefined;
  const size = Number(plain) * (scale ? (SCALES[scale] ?? 1) : 1);
  const value = (size + (compound?.value ?? 0)) * (/[-−–▲△]|^[(（]$/.test(minus) ? -1 : 1);
  return {
    kind: "number",
    value,
    before: (before + money).trim(),
    after: compound?.rest ?? unit,
    decimals: plain.split(".")[1]?.length ?? 0,
  };
}

/** The second part of "1億2,000万円". */
function readMore(text: string): { readonly value: number; readonly rest: string } | undefined {
  const found = /^([\d,]+)(万|千)?(.*)$/u.exec(text);
  if (found === null) return undefined;
  const [, digits = "", scale = "", rest = ""] = found;
  return { value: Number(digits.replaceAll(",", "")) * (SCALES[scale] ?? 1), rest };
}

/** Removes thousands separators and turns a decimal comma into a point. */
function toPlainDigits(digits: string, money: boolean): string | undefined {
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(digits)) return digits.replaceAll(",", "");
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(digits)) return digits.replaceAll(".", "").replace(",", ".");
  if (/^\d+,\d{1,2}$/.test(digits)) return digits.replace(",", ".");
  if (money && /^\d{1,3}(?:\.\d{3}){2,}$/.test(digits)) return digits.replaceAll(".", "");
  if (/^\d*\.?\d+$|^\d+\.$/.test(digits)) return digits;
  return /^\d{1,3}(?:,\d{2,3})+$/.test(digits) ? digits.replaceAll(",", "") : undefined;
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const ERAS: Readonly<Record<string, number>> = {
  明治: 1867,
  大正: 1911,
  昭和: 1925,
  平成: 1988,
  令和: 2018,
};

const DATES: readonly (readonly [RegExp, (found: readonly string[]) => number | undefined])[] = [
  [/^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?(?:[T\s].*)?$/, ([, y, m, d]) => ymd(y, m, d)],
  [
    /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})(?:\s.*)?$/,
    // Ambiguous order: day first, unless the second number cannot be a month.
    ([, a, b, y]) => (Number(b) > 12 ? ymd(y, a, b) : ymd(y, b, a)),
  ],
  [/^(\d{4})年\s*(?:(\d{1,2})月)?\s*(?:(\d{1,2})日)?\D{0,6}$/, ([, y, m, d]) => ymd(y, m, d)],
  [/^(\d{1,2})月\s*(\d{1,2})日\D{0,6}$/, ([, m, d]) => ymd("0", m, d)],
  [
    /^(明治|大正|昭和|平成|令和)\s*(\d{1,2}|元)年\s*(?:(\d{1,2})月)?\s*(?:(\d{1,2})日)?\D{0,6}$/,
    ([, era, y, m, d]) => ymd(String((ERAS[era ?? ""] ?? 0) + (y === "元" ? 1 : Number(y))), m, d),
  ],
  [
    /^(?:\w{3,9},?\s)?(\d{1,2})(?:st|nd|rd|th)?[\s-]([a-z]{3,9})\.?,?[\s-](\d{4})/i,
    ([, d, m, y]) => ymd(y, monthOf(m), d),
  ],
  [
    /^(?:\w{3,9},\s)?([a-z]{3,9})\.?\s(\d{1,2})(?:st|nd|rd|th)?,?\s(\d{4})/i,
    ([, m, d, y]) => ymd(y, monthOf(m), d),
  ],
  [/^([a-z]{3,9})\.?[\s-](\d{4})$/i, ([, m, y]) => ymd(y, monthOf(m), undefined)],
];

function readDate(text: string): CellDate | undefined {
  for (const [pattern, toValue] of DATES) {
    const found = pattern.exec(text);
    const value = found === null ? undefined : toValue(found);
    if (value !== undefined) return { kind: "date", value };
  }
  return undefined;
}

function monthOf(name: string | undefined): string | undefined {
  const at = MONTHS.indexOf((name ?? "").slice(0, 3).toLowerCase());
  return at < 0 ? "13" : String(at + 1);
}

function ymd(y: string | undefined, m: string | undefined, d: string | undefined) {
  const [year, month, day] = [Number(y), Number(m ?? 0), Number(d ?? 0)];
  if (month > 12 || day > 31) return undefined;
  return year * 10_000 + month * 100 + day;
}

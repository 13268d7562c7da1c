// List numbers as Word shows them: counters per list and level, put into the level's pattern.
import { child, elements, type XmlElement } from "../xml.ts";

interface Level {
  readonly format: string;
  readonly pattern: string;
  readonly start: number;
}

/** The marker of the next item ("1.", "a)", "第2条"); undefined for bullets and unnumbered levels. */
export type NextNumber = (numId: string, level: number) => { marker?: string } | undefined;

export function openNumbering(root: XmlElement | undefined): NextNumber {
  const lists = new Map<string, { abstract: string; levels: ReadonlyMap<number, Level> }>();
  const counters = new Map<string, number[]>();
  const abstracts = new Map<string, ReadonlyMap<number, Level>>();
  for (const element of elements(root)) {
    const id = element.attributes["abstractNumId"] ?? "";
    if (element.name === "abstractNum") abstracts.set(id, toLevels(elements(element)));
    if (element.name === "num") {
      const abstract = child(element, "abstractNumId")?.attributes["val"] ?? "";
      const overrides = toLevels(elements(element).map((each) => child(each, "lvl")));
      const levels = new Map([...(abstracts.get(abstract) ?? []), ...overrides]);
      const own = overrides.size > 0 ? `${abstract}/${element.attributes["numId"]}` : abstract;
      lists.set(element.attributes["numId"] ?? "", { abstract: own, levels });
    }
  }
  return (numId, level) => {
    const list = lists.get(numId);
    const own = list?.levels.get(level);
    if (list === undefined || own === undefined) return undefined;
    const counts = counters.get(list.abstract) ?? [];
    counters.set(list.abstract, counts);
    counts[level] = (counts[level] ?? own.start - 1) + 1;
    counts.length = level + 1;
    if (own.format === "bullet" || own.format === "none" || own.pattern === "") return {};
    const marker = own.pattern.replace(/%(\d)/g, (_, digit: string) => {
      const at = Number(digit) - 1;
      const of = list.levels.get(at);
      return toNumeral(counts[at] ?? of?.start ?? 1, of?.format ?? "decimal");
    });
    return { marker };
  };
}

/** The levels that are among the elements, by their number. */
function toLevels(elements: readonly (XmlElement | undefined)[]): ReadonlyMap<number, Level> {
  const levels = elements.filter((element) => element?.name === "lvl");
  return new Map(levels.map((level) => [Number(level?.attributes["ilvl"]), toLevel(level)]));
}

function toLevel(element: XmlElement | undefined): Level {
  const value = (name: string) => child(element, name)?.attributes["val"];
  return {
    format: value("numFmt") ?? "decimal",
    pattern: value("lvlText") ?? "",
    start: Number(value("start") ?? 1),
  };
}

const DIGITS = "〇一二三四五六七八九";
const AIUEO =
  "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン";
const IROHA =
  "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス";

function toNumeral(value: number, format: string): string {
  const letter = (letters: string) => letters[(value - 1) % letters.length] ?? String(value);
  switch (format) {
    case "lowerLetter":
      return letter("abcdefghijklmnopqrstuvwxyz");
    case "upperLetter":
      return letter("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    case "lowerRoman":
      return roman(value).toLowerCase();
    case "upperRoman":
      return roman(value);
    case "decimalZero":
      return String(value).padStart(2, "0");
    case "decimalFullWidth":
    case "decimalFullWidth2":
      return String(value).replace(/\d/g, (digit) =>
        String.fromCharCode(digit.charCodeAt(0) + 0xfee0),
      );
    case "decimalEnclosedCircle":
    case "decimalEnclosedCircleChinese":
      return value <= 20 ? String.fromCharCode(0x2460 + value - 1) : String(value);
    case "aiueo":
    case "aiueoFullWidth":
      return letter(AIUEO);
    case "iroha":
    case "irohaFullWidth":
      return letter(IROHA);
    case "ideographDigital":
    case "japaneseCounting":
    case "chineseCounting":
    case "japaneseLegal":
      return kanji(value);
    default:
      return String(value);
  }
}

function kanji(value: number): string {
  if (value >= 100) return String(value);
  const tens = Math.floor(value / 10);
  const ones = value % 10;
  const ten = tens === 0 ? "" : `${tens === 1 ? "" : DIGITS[tens]}十`;
  return ten + (ones === 0 ? "" : (DIGITS[ones] ?? "")) || "〇";
}

const ROMAN = "M1000 CM900 D500 CD400 C100 XC90 L50 XL40 X10 IX9 V5 IV4 I1".split(" ");

function roman(value: number): string {
  let rest = Math.min(value, 3999);
  return ROMAN.map((part) => {
    const [, letters = "", worth = ""] = /^(\D+)(\d+)$/.exec(part) ?? [];
    const times = Math.max(0, Math.floor(rest / Number(worth)));
    rest -= times * Number(worth);
    return letters.repeat(times);
  }).join("");
}

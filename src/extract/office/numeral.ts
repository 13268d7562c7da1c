// Numbers of list items in the ways of counting that office programs have, by the names that Word gives them.

const DIGITS = "〇一二三四五六七八九";
const AIUEO =
  "アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン";
const IROHA =
  "イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス";

export function toNumeral(value: number, format: string): string {
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

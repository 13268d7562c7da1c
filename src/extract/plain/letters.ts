// What letters cost in the languages that have separate charsets, in bits: the more likely a text is, the less it costs.
import { LETTER_COSTS } from "./letter-costs.ts";

export interface Writing {
  readonly charsets: readonly string[];
  /** Of each letter alone. */
  readonly costs: ReadonlyMap<string, number>;
  /** Of a small letter after another character; undefined if it is not of this alphabet, or if this is none. */
  readonly costAfter: (before: string, letter: string) => number | undefined;
  readonly isAlphabet: boolean;
  readonly isLatin: boolean;
  /** Without an alphabet: any character of the script, however rare. */
  readonly others: RegExp;
}

const CODE = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+/";
const BITS = new Map([...CODE].map((code, at) => [code, at / 4]));

function toWriting(line: string): Writing {
  const [charsets = "", letters = "", alone = "", pairs = ""] = line.split("|");
  const places = new Map([...letters].map((letter, at) => [letter, at]));
  const after = Float32Array.from(pairs, (code) => BITS.get(code) ?? 0);
  return {
    charsets: charsets.split(" "),
    isAlphabet: pairs !== "",
    isLatin: places.has("e"),
    others: charsets === "euc-kr" ? /\p{Script=Hangul}/u : /\p{Script=Han}/u,
    costs: new Map([...letters].map((letter, at) => [letter, BITS.get(alone[at] ?? "") ?? 0])),
    costAfter(before, letter) {
      const place = places.get(letter);
      if (place === undefined || after.length === 0) return undefined;
      return after[((places.get(before) ?? -1) + 1) * places.size + place];
    },
  };
}

/** English comes first. Read again each time, because few files need them, and only once. */
export function readWritings(): readonly [Writing, ...(readonly Writing[])] {
  const [english = "", ...more] = LETTER_COSTS.split("\n");
  return [toWriting(english), ...more.map(toWriting)];
}

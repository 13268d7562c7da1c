// Text → runs, the units that are cut into pieces, each by itself; training/runs.py has the same rule.
//
//   "PostgreSQLのメモリ設定を見直す"  →  [postgresql] の メモリ 設定 を 見直 す      [ ]: a word, with a space before it
//
// Japanese is cut where its script changes, except between one kanji and the kana after it (a verb's stem and ending).

/** A stretch of a folded text. If it is a word, a space is put before it when it is cut. */
export interface Run {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly isWord: boolean;
}

const HAN = "\\u3005-\\u3007\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}";
const IS_HAN = new RegExp(`^[${HAN}]$`, "u");
const IS_HIRAGANA = /^[\u3041-\u3096\u3099\u309a\u309d-\u309f]$/u;
const IS_KATAKANA = /^[\u30a1-\u30fa\u30fd-\u30ff\u31f0-\u31ff]$/u;
const IS_WORD = /^[\p{L}\p{N}\p{M}]$/u;
// The long vowel mark continues both kana, so it has a separate class.
const LONG_VOWEL = 0x30fc;

const OTHER = 1;
const WORD = 2;
const HAN_CLASS = 3;
const HIRAGANA = 4;
const KATAKANA = 5;
const LONG = 6;

/** Accents, which the model's own tokeniser drops too, and characters without width. */
const INVISIBLE = /[\u0300-\u036f\u00ad\u200b-\u200d\u2060\ufeff]/g;
const NOT_ASCII = /[^\0-\x7f]/;
// No letter has more than eight marks, and normalising n marks takes the runtime n² steps.
const TOO_MANY_MARKS = /([\p{M}\uff9e\uff9f]{8})[\p{M}\uff9e\uff9f]+/gu;

export function fold(text: string): string {
  if (!NOT_ASCII.test(text)) return text.toLowerCase();
  const bounded = text.replace(TOO_MANY_MARKS, "$1").normalize("NFKD");
  return bounded.replace(INVISIBLE, "").normalize("NFC").toLowerCase();
}

// Filled on demand: testing each character with a regular expression would take most of the time.
const known = new Uint8Array(0x10000);

function classOf(code: number): number {
  const found = code < 0x10000 ? (known[code] ?? 0) : 0;
  if (found !== 0) return found;
  const fresh = classify(code);
  if (code < 0x10000) known[code] = fresh;
  return fresh;
}

function classify(code: number): number {
  const character = String.fromCodePoint(code);
  if (code === LONG_VOWEL) return LONG;
  if (IS_HAN.test(character)) return HAN_CLASS;
  if (IS_HIRAGANA.test(character)) return HIRAGANA;
  if (IS_KATAKANA.test(character)) return KATAKANA;
  return IS_WORD.test(character) ? WORD : OTHER;
}

const widthOf = (code: number) => (code < 0x10000 ? 1 : 2);

/** The end of the characters of these two classes, starting at `at`. */
function endOf(text: string, at: number, own: number, also: number): number {
  let end = at;
  // Fast path: most characters are already in the table.
  for (; end < text.length; end++) {
    const kind = known[text.charCodeAt(end)] as number;
    if (kind !== own && kind !== also) break;
  }
  while (end < text.length) {
    const code = text.codePointAt(end) ?? 0;
    const kind = classOf(code);
    if (kind !== own && kind !== also) break;
    end += widthOf(code);
  }
  return end;
}

/** Calls `take` with each run of a folded text; linear in its length. */
export function eachRun(text: string, take: (run: Run) => void): void {
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    const kind = classOf(code);
    const next = at + widthOf(code);
    if (kind === OTHER) {
      at = next;
      continue;
    }
    const end = runEnd(text, next, kind);
    take({ text, start: at, end, isWord: kind === WORD });
    at = end;
  }
}

function runEnd(text: string, next: number, kind: number): number {
  if (kind === WORD) return endOf(text, next, WORD, WORD);
  if (kind === HIRAGANA) return endOf(text, next, HIRAGANA, LONG);
  if (kind === HAN_CLASS) {
    const end = endOf(text, next, HAN_CLASS, HAN_CLASS);
    return end > next ? end : endOf(text, next, HIRAGANA, LONG);
  }
  return endOf(text, next, KATAKANA, LONG);
}

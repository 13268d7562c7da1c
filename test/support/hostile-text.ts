// Text that would affect a terminal, a log or a reader if it were passed on unchanged.
import fc from "fast-check";

const ESC = "\x1b";
const ENDS = ["\x07", `${ESC}\\`, "\x9c"];

/** One of each kind, for those who want them all. */
export const SEQUENCES: readonly string[] = [
  `${ESC}[2J${ESC}[H`,
  `${ESC}[31m`,
  `${ESC}[8m`,
  `${ESC}[?1049h`,
  `${ESC}[6n`,
  `${ESC}c`,
  `${ESC}(0`,
  `${ESC}#8`,
  ...ENDS.flatMap((end) => [
    `${ESC}]0;title${end}`,
    `${ESC}]52;c;aGVsbG8=${end}`,
    `${ESC}]8;;http://127.0.0.1/${end}link${ESC}]8;;${end}`,
    `${ESC}P$q"p${end}`,
    `${ESC}_payload${end}`,
    `${ESC}^message${end}`,
  ]),
  "\x9b2J",
  "\x9d0;title\x9c",
  "\x90data\x9c",
  "\x84\x85\x8d\x8e",
  "\u202egpj.\u202c",
  "\u2066\u2067\u2068\u2069",
  "\u200e\u200f\u061c",
  "\u200b\u2060\ufeff\u00ad",
  "\u2028\u2029",
  "\u{e0041}\u{e007f}",
  "\x00\x07\x08\x7f",
  '\r\n{"level":"error"}\r',
  "\n\t\v\f",
  "\ud800",
];

const csi = fc
  .tuple(fc.constantFrom(`${ESC}[`, "\x9b"), fc.stringMatching(/^[0-?]{0,6}[ -/]{0,2}[@-~]$/))
  .map((parts) => parts.join(""));
const osc = fc
  .tuple(
    fc.constantFrom(`${ESC}]`, "\x9d", `${ESC}P`, "\x90"),
    fc.stringMatching(/^\d{0,3};[ -~]{0,12}$/),
    fc.constantFrom(...ENDS, ""),
  )
  .map((parts) => parts.join(""));
const control = fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCharCode(code));
const words = fc.constantFrom("report", "日本", "naïve", " ", ".pdf", "a/b", "é", "👩‍💻", "=1+1");

/** Any mixture of words and sequences. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...SEQUENCES), csi, osc, control, words), {
    minLength: 1,
    maxLength: 12,
  })
  .map((parts) => parts.join(""));

const UNWANTED =
  "\\u0000-\\u0009\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\u{e0000}-\\u{e007f}";

/** Must not be printed: control characters except line breaks, and characters that hide or reverse text. */
export const RAW = new RegExp(`[${UNWANTED}]`, "u");

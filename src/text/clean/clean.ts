// Text in the form that every later step relies on: NFC, well-formed, nothing invisible.
import { trimEndOf, trimStartOf } from "./trim.ts";

// Invisible characters carry nothing for a reader, but hide instructions from people and split words for search:
// zero-width, soft hyphen, bidi controls, interlinear annotation, variation selectors and tag characters.
const INVISIBLE =
  /\u034f|[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u180b-\u180d\u180f]|[\ufe00-\ufe0f]|[\u{e0000}-\u{e0fff}]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f]/g;
const BREAK = /\r\n?|[\f\u0085\u2028\u2029]/g;
const SPACE = /[\u00a0\u2000-\u200a\u202f\u205f]/g;
// Symbol fonts put their bullets into the private use area.
const BULLET = /[\uf0b7\uf0a7\uf076\uf0d8\uf0fc\uf06e\uf06c]/g;
const LIGATURES = new Map(
  Object.entries({
    ﬀ: "ff",
    ﬁ: "fi",
    ﬂ: "fl",
    ﬃ: "ffi",
    ﬄ: "ffl",
    ﬅ: "st",
    ﬆ: "st",
  }),
);
const PLAIN_ASCII = /^[\n\t -~]*$/;

export function clean(text: string): string {
  if (PLAIN_ASCII.test(text)) return text;
  return (
    text
      .replace(BREAK, "\n")
      .replace(SPACE, " ")
      .replace(CONTROL, "")
      .replace(INVISIBLE, "")
      .replace(BULLET, "•")
      .replace(/[ﬀ-ﬆ]/g, (letters) => LIGATURES.get(letters) ?? letters)
      // TeX fonts without a Unicode map show this arrow for "ff".
      .replace(/(?<=\p{L})↵(?=[\p{L}-])/gu, "ff")
      .toWellFormed()
      .normalize("NFC")
  );
}

/** One line, single spaces: for headings and table cells. */
export function oneLine(text: string): string {
  return clean(text).replace(/\s+/g, " ").trim();
}

/** Lines without trailing space and without runs of empty lines. */
export function tidy(text: string): string {
  const lines = clean(text)
    .split("\n")
    .map((line) => trimEndOf(line, " \t"));
  return trimStartOf(lines.join("\n").replace(/\n{3,}/g, "\n\n"), "\n").trimEnd();
}

// Characters that no font draws: they carry text past people, or split words so that filters do not know them.

const MAYBE = /[\u200b-\u200d\u202e\u2060-\u2064\ufeff]|[\ufe00-\ufe0f]{2}|\udb40/;
/** Flags of England, Scotland and Wales are a black flag and their name in tags. */
const FLAG = /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,8}\u{e007f}/gu;
const TAGS = /[\u{e0020}-\u{e007e}]+/gu;
// One follows a letter or emoji to choose its form; a run of them is text, a byte in each.
const SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{8,}/gu;
const REVERSED = /\u202e[^\u202c\n]{3,2000}/g;
// Other scripts use them to join letters and to end lines. One may be where a long word can be broken.
const WORD = "[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}]+";
const ZERO = "[\\u200b-\\u200d\\u2060-\\u2064\\ufeff]+";
const SPLIT = new RegExp(`${WORD}${ZERO}${WORD}${ZERO}${WORD}`, "gu");
const LONG_RUN = new RegExp(`${ZERO.slice(0, -1)}{8,}`, "gu");

export function hasInvisible(raw: string): boolean {
  return MAYBE.test(raw);
}

/** The text that is written in tag characters or variation selectors. */
export function smuggledText(raw: string): string {
  const tags = raw.replace(FLAG, "").match(TAGS) ?? [];
  const inTags = tags.map((run) => fromCodes([...run].map((tag) => codeOf(tag) - 0xe0000)));
  const inSelectors = (raw.match(SELECTORS) ?? []).map((run) =>
    fromCodes([...run].map(selectorByte)),
  );
  return [...inTags, ...inSelectors].join(" ");
}

/** Words that are split by characters without width, or shown reversed. */
export function disguisedWords(raw: string): number {
  const count = (pattern: RegExp) => raw.match(pattern)?.length ?? 0;
  return count(SPLIT) + count(LONG_RUN) + count(REVERSED);
}

const codeOf = (character: string) => character.codePointAt(0) ?? 0;

function selectorByte(selector: string): number {
  const code = codeOf(selector);
  return code < 0xe0100 ? code - 0xfe00 : code - 0xe0100 + 16;
}

function fromCodes(codes: readonly number[]): string {
  return Buffer.from(codes).toString("utf8");
}

// A query's words as people see them in a text: where a long text is cut, what is marked. Scripts without spaces are
// split into words; their particles and endings stand everywhere and tell nothing.

const UNSPACED = "\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}ー";
const LETTER = `(?:(?![${UNSPACED}])[\\p{L}\\p{N}])`;
const RUN = new RegExp(`[${UNSPACED}]+|${LETTER}{2,}`, "gu");
const STARTS_UNSPACED = new RegExp(`^[${UNSPACED}]`, "u");
const SEGMENTER = new Intl.Segmenter("ja", { granularity: "word" });
const HIRAGANA_ONLY = /^[\p{sc=Hiragana}ー]+$/u;
const ENDING = /^([\p{sc=Han}々]{2,})\p{sc=Hiragana}+$/u;

export function queryWords(query: string): readonly string[] {
  const runs = query.match(RUN) ?? [];
  return [...new Set(runs.flatMap((run) => (STARTS_UNSPACED.test(run) ? split(run) : [run])))];
}

function split(run: string): string[] {
  return [...SEGMENTER.segment(run)]
    .filter(({ segment }) => !HIRAGANA_ONLY.test(segment))
    .map(({ segment }) => segment.replace(ENDING, "$1"));
}

/** Finds the query's words, and longer words that begin with them; undefined where it has none. */
export function queryPattern(query: string): RegExp | undefined {
  const words = queryWords(query);
  if (words.length === 0) return undefined;
  const each = words.map((word) =>
    STARTS_UNSPACED.test(word) ? word : `(?<!${LETTER})${word}${LETTER}{0,3}`,
  );
  return new RegExp(each.join("|"), "giu");
}

// Arabic and Hebrew: the parser gives each line's words from left to right, as they are drawn; people read them from the
// right.

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;
const LETTERS = /\p{L}/gu;

/** Whether most letters are of such a script. */
export function isRightToLeft(text: string): boolean {
  const letters = text.match(LETTERS) ?? [];
  return letters.filter((letter) => RIGHT_TO_LEFT.test(letter)).length > letters.length / 2;
}

/** A line's words in the order in which they are read; words and numbers of other scripts keep theirs. */
export function toReadingOrder(line: string): string {
  if (!isRightToLeft(line)) return line;
  const runs: string[][] = [];
  let isOther = false;
  for (const word of line.trim().split(/\s+/)) {
    const other = !RIGHT_TO_LEFT.test(word) && /[\p{L}\p{N}]/u.test(word);
    if (other && isOther) runs.at(-1)?.push(word);
    else runs.push([word]);
    isOther = other;
  }
  return runs
    .toReversed()
    .flatMap((run) => run.map(withMarkAtEnd))
    .join(" ")
    .replace(TURNED_LIGATURE, "$1$3$2");
}

/** Lam and alef are drawn as one sign, whose letters are given the wrong way round; no word has two alefs in a row. */
const TURNED_LIGATURE = /(ا)([اأإآ])(ل)/g;

/** A mark that ends a word is drawn to its left. */
function withMarkAtEnd(word: string): string {
  return word.replace(/^([،؛:.!؟]+)(\p{L}.*)$/u, "$2$1");
}

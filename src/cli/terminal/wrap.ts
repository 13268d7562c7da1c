import { cutTo, widthOf } from "../../text/width.ts";

/** Wraps text to at most `columns` per line and drops blank lines to save space. */
export function wrap(text: string, columns: number): readonly string[] {
  const room = Math.max(20, columns);
  return text
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .flatMap((line) => wrapLine(line, room))
    .map((line) => cutTo(line, room));
}

/** Breaks lines wider than `columns` and indents the continuation by `hang`. No text is lost. */
export function wrapLongLines(text: string, columns: number, hang = 0): string {
  return text
    .split("\n")
    .flatMap((line) => (widthOf(line) <= columns ? [line] : wrapLongLine(line, columns, hang)))
    .join("\n");
}

function wrapLongLine(line: string, columns: number, hang: number): readonly string[] {
  const own = /^\s*/.exec(line)?.[0] ?? "";
  const indent = `${own}${" ".repeat(hang)}`;
  const [first = "", ...rest] = wrapLine(
    line.slice(own.length),
    columns - indent.length,
    columns - own.length,
  );
  return [own + first, ...rest.map((each) => indent + each)];
}

// Text without spaces between words may break before any ideograph or kana that is not small, and before what opens.
const BREAK =
  /(?<=\s)|(?<![「『（【])(?=[「『（【]|(?![ぁぃぅぇぉっゃゅょァィゥェォッャュョ])[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])/u;

/** The first line may be longer: the others hang below its text. */
function wrapLine(line: string, columns: number, first = columns): readonly string[] {
  const lines: string[] = [];
  let open = "";
  let used = 0;
  for (const word of line.split(BREAK).flatMap((each) => parts(each, columns))) {
    const width = widthOf(word);
    const room = lines.length === 0 ? first : columns;
    if (open !== "" && used + width - (word.length - word.trimEnd().length) > room) {
      lines.push(open.trimEnd());
      open = "";
      used = 0;
    }
    open += word;
    used += width;
  }
  lines.push(open.trimEnd());
  return lines;
}

/** A path or address may be longer than a line. A word that contains colours is not split. */
function parts(word: string, columns: number): readonly string[] {
  if (widthOf(word) <= columns || word.includes("\x1b")) return [word];
  const characters = [...word];
  const pieces: string[] = [];
  for (let from = 0; from < characters.length; ) {
    let to = from + 1;
    while (to < characters.length && widthOf(characters.slice(from, to + 1).join("")) <= columns)
      to += 1;
    pieces.push(characters.slice(from, to).join(""));
    from = to;
  }
  return pieces;
}

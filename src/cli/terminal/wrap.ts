import { cutTo, widthOf } from "../../text/width.ts";

/** Text in lines of at most `columns`; blank lines go, since room is short. */
export function wrap(text: string, columns: number): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim())
    .filter((line) => line !== "")
    .flatMap((line) => wrapLine(line, Math.max(20, columns)));
}

function wrapLine(line: string, columns: number): readonly string[] {
  const lines: string[] = [];
  let open = "";
  let used = 0;
  // Where words are not parted by spaces, a line may break before any ideograph or kana.
  for (const word of line.split(/(?<=\s)|(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}])/u)) {
    const width = widthOf(word);
    if (open !== "" && used + width - (word.length - word.trimEnd().length) > columns) {
      lines.push(open.trimEnd());
      open = "";
      used = 0;
    }
    open += word;
    used += width;
  }
  lines.push(open.trimEnd());
  return lines.map((each) => cutTo(each, columns));
}

// What to show of a citation: the text from the quoted words on, or a table's row with its column names.
import type { KbAnswer } from "../../tools/answers/contract.ts";

type Citation = Pick<KbAnswer["citations"][number], "content" | "location">;

export function citedText({ content, location }: Citation): string {
  const { start = 0, quotes = [], table } = location;
  const rows = quotes.map((quote) => content.slice(quote.start - start, quote.end - start).trim());
  if (table !== undefined && rows.length > 0)
    return [`| ${table.header.join(" | ")} |`, ...rows].join("\n");
  const [first] = quotes;
  const at = first === undefined ? 0 : first.start - start;
  const line = content.lastIndexOf("\n", at) + 1;
  return line > 0 ? `… ${content.slice(line)}` : content;
}

/** The words that answer, or may answer; empty if none are marked. */
export function likelyWords({ content, location: { start = 0, span } }: Citation): string {
  return span
    ? content
        .slice(span.start - start, span.end - start)
        .replace(/\s+/g, " ")
        .trim()
    : "";
}

/** Makes the words bold where they first occur, also where a line breaks between them. */
export function boldIn(
  lines: readonly string[],
  words: string,
  bold: (words: string) => string,
): readonly string[] {
  const whole = lines.findIndex((line) => line.includes(words));
  if (words === "") return lines;
  if (whole >= 0)
    return lines.map((line, at) => (at === whole ? boldOnce(line, words, bold) : line));
  for (let cut = words.length - 1; cut > 0; cut--) {
    const [head, tail] = [words.slice(0, cut).trim(), words.slice(cut).trim()];
    const at = lines.findIndex(
      (line, number) => line.endsWith(head) && lines[number + 1]?.startsWith(tail),
    );
    if (at < 0 || head === "" || tail === "") continue;
    return lines.map((line, number) => {
      if (number === at) return line.slice(0, -head.length) + bold(head);
      return number === at + 1 ? bold(tail) + line.slice(tail.length) : line;
    });
  }
  return lines;
}

function boldOnce(line: string, words: string, bold: (words: string) => string): string {
  const at = line.indexOf(words);
  return line.slice(0, at) + bold(words) + line.slice(at + words.length);
}

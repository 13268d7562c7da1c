// Passages as people read them: the Markdown of agents, shortened for the screen.
import type { KbAnswer } from "../../../../tools/answers/contract.ts";

/** Headings are above the text as its path; blank lines only push results off the screen, except between tables. */
export function compact(text: string): string {
  return text.replace(/^#{1,6} .*\n+/gm, "").replace(/(?<!\|)\n{2,}(?!\n)|\n{2,}(?![|\n])/g, "\n");
}

type Quoted = Pick<KbAnswer["citations"][number]["location"], "start" | "quotes">;

// What comes before the quoted words is worth a line or two, so that they are read in their place.
const LEAD = 120;

/** The passage from shortly before the words that an answer took from it. */
export function fromQuote(content: string, { start, quotes }: Quoted): string {
  const first = quotes?.[0];
  if (first === undefined || start === undefined) return content;
  const at = first.start - start;
  if (at <= LEAD || at >= content.length) return content;
  const line = content.lastIndexOf("\n", at - 1) + 1;
  if (content[line] === "|") return headOfTable(content, line) + content.slice(line);
  return `… ${content.slice(Math.max(line, at - LEAD))}`;
}

/** The header of the table that a row is in, so that the row is shown in its columns. */
function headOfTable(content: string, row: number): string {
  const before = content.slice(0, row);
  const table = /(?:^|\n)((?:\|.*\n)+)$/.exec(before)?.[1] ?? "";
  return /^(?:\|.*\n)*?\|[\s|:-]+\|\n/.exec(table)?.[0] ?? "";
}

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

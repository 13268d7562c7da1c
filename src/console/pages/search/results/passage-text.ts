// Passages for people: the Markdown that agents get, shortened for the screen.
import { markHeadings, withoutLeadingHeadings } from "../../../../text/clean/headings.ts";
import type { KbAnswer } from "../../../../tools/answers/contract.ts";

/**
 * The first headings are above the text as its path, later ones are bold; blank lines only push results off the screen. Except at the end of a table:
 * without one, what follows is drawn as its next row.
 */
export function compact(text: string): string {
  return markHeadings(withoutLeadingHeadings(text), (heading) => `**${heading}**`)
    .replace(/(\|?)\n{2,}/g, (_, row: string) => (row === "" ? "\n" : "|\n\n"))
    .replace(/^(\|.*\n)(?=[^|\n]+$)/gm, "$1\n")
    .trimEnd();
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
  if (content[line] === "|") return fromRow(content, line);
  return `… ${content.slice(Math.max(line, at - LEAD))}`;
}

/** With the header of its table, so that the row is shown in its columns. */
function fromRow(content: string, row: number): string {
  const above = /(?:^|\n)((?:\|.*\n)+)$/.exec(content.slice(0, row))?.[1] ?? "";
  // The line below a header is no row: with it the table is shown from its header on.
  if (/^\|[\s|:-]+\|(?:\n|$)/.test(content.slice(row))) return above + content.slice(row);
  const header = /^(?:\|.*\n)*?\|[\s|:-]+\|\n/.exec(above)?.[0] ?? "";
  return header + content.slice(row);
}

type Cited = Pick<KbAnswer["citations"][number]["location"], "start" | "quotes" | "table">;

/** What a citation's card shows: a table's row with its header and the cells used, else how the passage begins. */
export function cardText(content: string, { start, quotes, table }: Cited): string {
  const row = quotes?.[0];
  if (!table || row === undefined || start === undefined) return content.trim();
  const line = content.slice(row.start - start, row.end - start).trim();
  const values = line.replace(/^\||\|$/g, "").split("|");
  // Of two tables side by side the header has only one's columns, and the row has both's cells.
  const names = table.header.length === values.length ? table.header : [];
  const named = values.flatMap((cell, at) => {
    const [name, value] = [names[at]?.trim() ?? "", cell.trim()];
    if (value === "") return [];
    return [name === "" ? value : `${name}: ${value}`];
  });
  const header = names.length > 0 ? [] : [table.header.filter(Boolean).join(" | ")];
  return [(table.cells ?? []).join(", "), ...header, named.join("; ")].filter(Boolean).join(" · ");
}

// Passages for people: the Markdown that agents get, shortened for the screen.
import { markHeadings, withoutLeadingHeadings } from "../../../text/clean/headings.ts";
import type { KbAnswer } from "../../../tools/answers/contract.ts";

/**
 * The first headings are shown above the text as its path; later ones become bold. Blank lines are
 * removed because they only push results off the screen, except after a table, where the next line
 * would be drawn as a row.
 */
export function compact(text: string): string {
  return markHeadings(withoutLeadingHeadings(text), (heading) => `**${heading}**`)
    .replace(/(\|?)\n{2,}/g, (_, row: string) => (row === "" ? "\n" : "|\n\n"))
    .replace(/^(\|.*\n)(?=[^|\n]+$)/gm, "$1\n")
    .trimEnd();
}

type Quoted = Pick<KbAnswer["citations"][number]["location"], "start" | "quotes">;

// A line or two before the quoted words give them context.
const LEAD = 120;

/** Starts the passage shortly before the words that an answer quotes. */
export function fromQuote(content: string, { start, quotes }: Quoted): string {
  const first = quotes?.[0];
  if (first === undefined || start === undefined) return content;
  const at = first.start - start;
  if (at <= LEAD || at >= content.length) return content;
  const line = content.lastIndexOf("\n", at - 1) + 1;
  if (content[line] === "|") return fromRow(content, line);
  return `… ${content.slice(Math.max(line, at - LEAD))}`;
}

type Likely = Pick<KbAnswer["citations"][number]["location"], "start" | "span">;

/** The words that answer, or may answer; empty if none are marked. */
export function likelyWords(content: string, { start, span }: Likely): string {
  if (span === undefined || start === undefined) return "";
  return content.slice(span.start - start, span.end - start).trim();
}

/** Keeps the table's header, so that the row is shown in its columns. */
function fromRow(content: string, row: number): string {
  const above = /(?:^|\n)((?:\|.*\n)+)$/.exec(content.slice(0, row))?.[1] ?? "";
  // The dashes below a header are not a row: in that case the table is shown from its header on.
  if (/^\|[\s|:-]+\|(?:\n|$)/.test(content.slice(row))) return above + content.slice(row);
  const header = /^(?:\|.*\n)*?\|[\s|:-]+\|\n/.exec(above)?.[0] ?? "";
  return header + content.slice(row);
}

type Cited = Pick<KbAnswer["citations"][number]["location"], "start" | "quotes" | "table">;

/**
 * The text on a citation's card: a table's row with its header and the cells used, or else the
 * beginning of the passage.
 */
export function cardText(content: string, { start, quotes, table }: Cited): string {
  const row = quotes?.[0];
  if (!table || row === undefined || start === undefined) return content.trim();
  const line = content.slice(row.start - start, row.end - start).trim();
  const values = line.replace(/^\||\|$/g, "").split("|");
  // If two tables are side by side, the header has the columns of one and the row has the cells of both.
  const names = table.header.length === values.length ? table.header : [];
  const named = values.flatMap((cell, at) => {
    const [name, value] = [names[at]?.trim() ?? "", cell.trim()];
    if (value === "") return [];
    return [name === "" ? value : `${name}: ${value}`];
  });
  const header = names.length > 0 ? [] : [table.header.filter(Boolean).join(" | ")];
  return [(table.cells ?? []).join(", "), ...header, named.join("; ")].filter(Boolean).join(" · ");
}

/** On one line, where Markdown would only be noise. */
export function withoutMarkup(text: string): string {
  return text
    .replace(/^[#>|\s-]+|[|*`_]+/gm, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** A quoted example, without the lines that only begin and end it. */
export function withoutFences(text: string): string {
  return text.replace(/^```.*(?:\n|$)/gm, "").replace(/\n+(?=\[\d)/g, " ");
}

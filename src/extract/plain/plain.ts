// Text formats: Markdown, plain text, CSV and JSON.

import type { Metadata } from "../../domain/document.ts";
import { toMessage } from "../../domain/phrases/messages.ts";
import { clean, tidy } from "../../text/clean/clean.ts";
import { corrupt } from "../failures.ts";
import { isEnough } from "../hidden/hidden.ts";
import type { ReadContext, ReadOutcome } from "../reader.ts";
import { extensionOf } from "../sniff.ts";
import { toSheetCells } from "../tables/grid.ts";
import type { Writer } from "../writer.ts";
import { markupToMarkdown } from "./markup.ts";
import { rawText } from "./raw-text.ts";

const TEXT: ReadOutcome = { method: "text_extraction" };

export async function readMarkdown({ bytes, out }: ReadContext): Promise<ReadOutcome> {
  const text = withoutComments(clean(rawText({ bytes, out })), out);
  out.markdown(text);
  out.report("text");
  const title = frontMatterTitle(text);
  const metadata = await readFrontMatter(text);
  return {
    ...TEXT,
    ...(title === undefined ? {} : { title }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

const FENCE = /^ {0,3}(?:```|~~~)/;

/** No page that is made of the Markdown shows its comments. Those in code are part of it. */
function withoutComments(text: string, out: Writer): string {
  if (!text.includes("<!--")) return text;
  let isCode = false;
  let comment: string[] | undefined;
  const kept = text.split("\n").map((line) => {
    if (comment === undefined && FENCE.test(line)) isCode = !isCode;
    if (isCode || (comment === undefined && !line.includes("<!--"))) return line;
    const parts = line.split(/(<!--|-->|`[^`]{0,500}`)/);
    const shown = parts.filter((part) => {
      if (comment === undefined) {
        if (part === "<!--") comment = [];
        return part !== "<!--";
      }
      if (part !== "-->") comment.push(part);
      else {
        const body = comment.join("\n");
        if (isEnough(body)) out.hide("comment", body);
        comment = undefined;
      }
      return false;
    });
    return shown.join("");
  });
  // A comment that is never closed hides nothing.
  return comment === undefined ? kept.join("\n") : text;
}

export function readText({ bytes, filename, out }: ReadContext): ReadOutcome {
  const text = tidy(rawText({ bytes, out }));
  const markdown = markupToMarkdown(extensionOf(filename), text);
  if (markdown !== undefined) out.markdown(markdown.replace(/\n{3,}/g, "\n\n"));
  else for (const paragraph of text.split(/\n[ \t]*\n/)) out.paragraph(paragraph);
  out.report("text");
  return TEXT;
}

export function readCsv({ bytes, filename, out, limits }: ReadContext): ReadOutcome {
  const text = clean(rawText({ bytes, out }));
  const rows = parseCsv(text, delimiterOf(text, filename));
  const cells = rows.reduce((sum, row) => sum + row.length, 0);
  const kept =
    cells > limits.cells ? rows.slice(0, Math.floor(limits.cells / (cells / rows.length))) : rows;
  if (kept.length < rows.length) out.warn(toMessage("firstRows", kept.length, rows.length));
  const filled = kept.flatMap((row, at) =>
    row.some((cell) => cell.trim() !== "") ? [at + 1] : [],
  );
  const width = kept.reduce((most, row) => Math.max(most, row.length), 0);
  out.table(
    kept,
    1,
    toSheetCells(
      filled,
      Array.from({ length: width }, (_, at) => at),
    ),
  );
  out.report("text");
  return TEXT;
}

export function readJson({ bytes, filename, out }: ReadContext): ReadOutcome {
  const text = clean(rawText({ bytes, out })).trim();
  const byLine = /\.(?:jsonl|ndjson)$/i.test(filename);
  const values = byLine ? parseLines(text) : [parse(text)];
  for (const value of values) {
    const table = asTable(value);
    if (table === undefined) out.code(JSON.stringify(value, undefined, 2));
    else out.table(table, 1);
  }
  out.report("text");
  return TEXT;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw corrupt(toMessage("notJson"), error);
  }
}

function parseLines(text: string): readonly unknown[] {
  const values = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [parse(line)]));
  return asTable(values) === undefined ? values : [values];
}

/** A list of flat records is easiest to read as a table. */
function asTable(value: unknown): readonly (readonly string[])[] | undefined {
  if (!Array.isArray(value) || value.length < 2) return undefined;
  const keys = new Set<string>();
  for (const record of value) {
    if (typeof record !== "object" || record === null || Array.isArray(record)) return undefined;
    for (const [key, field] of Object.entries(record)) {
      if (typeof field === "object" && field !== null) return undefined;
      keys.add(key);
    }
  }
  if (keys.size === 0 || keys.size > 60) return undefined;
  const columns = [...keys];
  const rows = value.map((record: Readonly<Record<string, unknown>>) =>
    columns.map((key) => {
      const field = Object.hasOwn(record, key) ? record[key] : undefined;
      return field === undefined || field === null ? "" : String(field);
    }),
  );
  return [columns, ...rows];
}

function delimiterOf(text: string, filename: string): string {
  if (/\.tsv$/i.test(filename)) return "\t";
  const head = text.slice(0, 10_000).split("\n").slice(0, 20);
  const counts = [",", ";", "\t", "|"].map((mark) => {
    const perLine = head.filter((line) => line !== "").map((line) => line.split(mark).length - 1);
    const least = Math.min(...perLine);
    return { mark, least, sum: perLine.reduce((a, b) => a + b, 0) };
  });
  counts.sort((a, b) => b.least - a.least || b.sum - a.sum);
  return counts[0]?.mark ?? ",";
}

/** As in RFC 4180, quoted fields may contain delimiters, newlines and doubled quotes. */
export function parseCsv(text: string, delimiter: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at < text.length) {
    const [cell, next] = text[at] === '"' ? quoted(text, at + 1) : ["", at];
    let end = next;
    while (end < text.length && text[end] !== delimiter && text[end] !== "\n") end += 1;
    row.push(cell + text.slice(next, end));
    if (end >= text.length || text[end] === "\n") {
      rows.push(row);
      row = [];
    } else if (end === text.length - 1) {
      row.push("");
    }
    at = end + 1;
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

function quoted(text: string, from: number): readonly [string, number] {
  let cell = "";
  let at = from;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return [cell + text.slice(at), text.length];
    cell += text.slice(at, quote);
    if (text[quote + 1] !== '"') return [cell, quote + 1];
    cell += '"';
    at = quote + 2;
  }
}

// A Markdown file's YAML metadata between two `---` lines. It stays part of the text too.

// Far more than people write; the metadata's own limits are checked where it is stored.
const MAX_LENGTH = 16_000;
const BLOCK = /^---[ \t]*\n([\s\S]*?)\n(?:---|\.\.\.)[ \t]*(?:\n|$)/;

/** Undefined if the text has no front matter, or it is not a map in plain YAML. */
async function readFrontMatter(text: string): Promise<Metadata | undefined> {
  if (!text.startsWith("---")) return undefined;
  const block = BLOCK.exec(text.slice(0, MAX_LENGTH))?.[1];
  if (block === undefined) return undefined;
  // A CommonJS package has its names on the default export, bundled or not.
  const { default: yaml } = await import("yaml");
  try {
    // Aliases are refused, because a few lines of them can expand to gigabytes.
    const found: unknown = yaml.parse(block, { maxAliasCount: 0, logLevel: "error" });
    const isMap = typeof found === "object" && found !== null && !Array.isArray(found);
    return isMap ? { ...found } : undefined;
  } catch {
    return undefined;
  }
}

const MAX_TITLE_AT = 4_000;

/** The value of `title:` in YAML front matter. */
function frontMatterTitle(text: string): string | undefined {
  if (!text.startsWith("---\n")) return;
  const found = /^title:(.+)$/m.exec(text.slice(0, MAX_TITLE_AT));
  if (found === null || text.indexOf("\n---", 4) < found.index) return;
  return found[1]?.trim().replace(/^(["'])(.*)\1$/, "$2");
}

// Finds the blocks of a Markdown text: a line scanner, enough for headings, lists, tables, code and quotes.
import type { BlockKind } from "../../domain/document.ts";

export interface MarkdownBlock {
  readonly kind: BlockKind;
  readonly start: number;
  readonly end: number;
  readonly level?: number;
  readonly headerEnd?: number;
}

interface Line {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const HEADING = /^ {0,3}(#{1,6})(?:\s+|$)/;
const ITEM = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+\S/;
const RULE_CELL = /^:?-+:?$/;
const RULE = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const UNDERLINE = /^ {0,3}(?:=+|-{2,})\s*$/;

export function scanMarkdown(text: string): readonly MarkdownBlock[] {
  const lines = toLines(text);
  const blocks: MarkdownBlock[] = [];
  let at = frontMatter(lines);
  if (at > 0) blocks.push(span("code", lines, 0, at));
  while (at < lines.length) {
    const next = take(lines, at);
    if (next.block !== undefined) blocks.push(next.block);
    at = next.after;
  }
  return blocks;
}

function take(lines: readonly Line[], at: number): { block?: MarkdownBlock; after: number } {
  const line = lines[at]?.text ?? "";
  if (line.trim() === "") return { after: at + 1 };
  const fence = FENCE.exec(line)?.[1];
  if (fence !== undefined) return taken("code", lines, at, fenceEnd(lines, at, fence));
  const heading = HEADING.exec(line)?.[1];
  if (heading !== undefined) {
    return {
      block: { ...span("heading", lines, at, at + 1), level: heading.length },
      after: at + 1,
    };
  }
  if (isTable(lines, at)) return takeTable(lines, at);
  if (RULE.test(line)) return taken("paragraph", lines, at, at + 1);
  if (ITEM.test(line)) return taken("list", lines, at, listEnd(lines, at));
  if (/^ {0,3}>/.test(line)) return taken("note", lines, at, paragraphEnd(lines, at));
  const end = paragraphEnd(lines, at);
  const under = lines[at + 1]?.text ?? "";
  if (UNDERLINE.test(under)) {
    const level = under.trim().startsWith("=") ? 1 : 2;
    return { block: { ...span("heading", lines, at, at + 2), level }, after: at + 2 };
  }
  return taken("paragraph", lines, at, end);
}

function taken(kind: BlockKind, lines: readonly Line[], at: number, after: number) {
  return { block: span(kind, lines, at, after), after };
}

function span(kind: BlockKind, lines: readonly Line[], from: number, to: number): MarkdownBlock {
  return { kind, start: lines[from]?.start ?? 0, end: lines[to - 1]?.end ?? 0 };
}

function isTable(lines: readonly Line[], at: number): boolean {
  const rule = lines[at + 1]?.text ?? "";
  return (
    (lines[at]?.text.includes("|") ?? false) &&
    rule.includes("-") &&
    rule.includes("|") &&
    isTableRule(rule)
  );
}

function isTableRule(line: string): boolean {
  const cells = line.trim().split("|");
  if (cells[0] === "") cells.shift();
  if (cells.at(-1) === "") cells.pop();
  return cells.length > 0 && cells.every((cell) => RULE_CELL.test(cell.trim()));
}

function takeTable(lines: readonly Line[], at: number): { block: MarkdownBlock; after: number } {
  let after = at + 2;
  while (lines[after]?.text.includes("|") && lines[after]?.text.trim() !== "") after += 1;
  const block = span("table", lines, at, after);
  // After the newline, at the start of the next row.
  const headerEnd = Math.min(block.end, (lines[at + 1]?.end ?? 0) + 1);
  return { block: { ...block, headerEnd }, after };
}

function fenceEnd(lines: readonly Line[], at: number, fence: string): number {
  for (let next = at + 1; next < lines.length; next += 1) {
    const text = lines[next]?.text.trim() ?? "";
    if (text.startsWith(fence) && text.replaceAll(fence.charAt(0), "") === "") return next + 1;
  }
  return lines.length;
}

/** A list continues across single empty lines if items or indented lines follow. */
function listEnd(lines: readonly Line[], at: number): number {
  let end = at + 1;
  for (let next = at + 1; next < lines.length; next += 1) {
    const text = lines[next]?.text ?? "";
    if (text.trim() === "") {
      const following = lines[next + 1]?.text ?? "";
      if (!ITEM.test(following) && !/^\s{2,}\S/.test(following)) return end;
      continue;
    }
    if (HEADING.test(text) || FENCE.test(text) || isTable(lines, next)) return end;
    end = next + 1;
  }
  return end;
}

function paragraphEnd(lines: readonly Line[], at: number): number {
  let next = at + 1;
  while (next < lines.length) {
    const text = lines[next]?.text ?? "";
    if (text.trim() === "" || HEADING.test(text) || FENCE.test(text) || isTable(lines, next)) break;
    next += 1;
  }
  return next;
}

function frontMatter(lines: readonly Line[]): number {
  if (lines[0]?.text !== "---") return 0;
  const end = lines.slice(1, 200).findIndex((line) => line.text === "---" || line.text === "...");
  return end === -1 ? 0 : end + 2;
}

function toLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start <= text.length) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    lines.push({ text: text.slice(start, end), start, end });
    start = end + 1;
  }
  return lines;
}

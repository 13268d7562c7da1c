// A Markdown file as a tree of sections, each with the line it starts at.

import { toPlain } from "./plain.ts";

export interface Section {
  readonly heading: string;
  readonly level: number;
  readonly line: number;
  /** The section's own text, without the sections inside it. */
  readonly body: string;
  readonly children: readonly Section[];
}

export interface Page {
  readonly fields: FrontMatter;
  readonly title: string;
  /** The text before the first section. */
  readonly lead: string;
  readonly leadLine: number;
  readonly sections: readonly Section[];
  /** The targets of reference-style links by label, as written. */
  readonly definitions: ReadonlyMap<string, string>;
}

interface Heading {
  readonly level: number;
  readonly text: string;
  /** The index of the body's first line. */
  readonly from: number;
  readonly line: number;
}

interface Part extends Heading {
  readonly body: string;
}

// A file that joins many pages has many first-level headings; a few are the author's mistake.
const MANY_TITLES = 4;
// A longer line that begins with # is text, not a heading.
const MAX_HEADING_LENGTH = 300;
const ATX = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?$/;

export function readPage(text: string): Page {
  const lines = text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?/g, "\n")
    .split("\n");
  const front = readFrontMatter(lines);
  const definitions = new Map<string, string>();
  const clean = withoutNoise(lines, front.lines, definitions);
  const headings = findHeadings(clean, front.lines);
  const bodyOf = (from: number, to: number) => clean.slice(from, to).join("\n").trim();
  const parts = headings.map((heading, at) => ({
    ...heading,
    body: bodyOf(heading.from, (headings[at + 1]?.line ?? clean.length + 1) - 1),
  }));
  const before = bodyOf(front.lines, (headings[0]?.line ?? clean.length + 1) - 1);
  return { fields: front.fields, definitions, ...arrange(parts, before, front.lines + 1) };
}

/** Renders the section's own text and everything inside it, including headings. */
export function render(section: Section): string {
  const inside = section.children.map(
    (child) => `${"#".repeat(child.level)} ${child.heading}\n\n${render(child)}`,
  );
  return [section.body, ...inside]
    .filter((part) => part !== "")
    .join("\n\n")
    .trim();
}

export function renderPage({ lead, sections }: Page): string {
  return render({ heading: "", level: 1, line: 1, body: lead, children: sections });
}

function arrange(parts: readonly Part[], before: string, firstLine: number) {
  const titles = parts.filter((part) => part.level === 1).length;
  const [first, ...rest] = parts;
  const titled = first !== undefined && first.level === 1 && titles < MANY_TITLES;
  if (!titled) return { title: "", lead: before, leadLine: firstLine, sections: nest(parts) };
  const sections = nest(rest.map((part) => (part.level === 1 ? { ...part, level: 2 } : part)));
  const lead = [before, first.body].filter((text) => text !== "").join("\n\n");
  return { title: toPlain(first.text), lead, leadLine: first.line, sections };
}

function nest(parts: readonly Part[]): readonly Section[] {
  const sections: Section[] = [];
  for (let at = 0; at < parts.length; ) {
    const part = parts[at] as Part;
    let end = at + 1;
    while (end < parts.length && (parts[end] as Part).level > part.level) end++;
    sections.push({
      heading: part.text,
      level: part.level,
      line: part.line,
      body: part.body,
      children: nest(parts.slice(at + 1, end)),
    });
    at = end;
  }
  return sections;
}

function findHeadings(lines: readonly string[], from: number): readonly Heading[] {
  const headings: Heading[] = [];
  forEachOutsideCode(lines, from, (line, at) => {
    const shown = line.trimEnd();
    const atx = shown.length > MAX_HEADING_LENGTH ? null : ATX.exec(shown);
    if (atx?.[1] && atx[2])
      headings.push({ level: atx[1].length, text: atx[2], from: at + 1, line: at + 1 });
  });
  return headings;
}

/** Blanks out comments, which people do not see either, and link definitions. Line numbers do not change. */
function withoutNoise(
  lines: readonly string[],
  from: number,
  definitions: Map<string, string>,
): readonly string[] {
  const clean = [...lines];
  let inComment = false;
  forEachOutsideCode(lines, from, (line, at) => {
    const outside = withoutComments(line, inComment);
    inComment = outside.inComment;
    let { rest } = outside;
    const definition = /^ {0,3}\[([^\]^][^\]]*)\]:\s+(\S+.*)$/.exec(rest);
    if (definition?.[1] !== undefined && definition[2] !== undefined) {
      definitions.set(definition[1].toLowerCase(), definition[2].trim());
      rest = "";
    }
    clean[at] = rest;
  });
  return clean;
}

function withoutComments(line: string, inside: boolean) {
  const kept: string[] = [];
  let inComment = inside;
  for (let at = 0; at < line.length; ) {
    const mark = inComment ? "-->" : "<!--";
    const found = line.indexOf(mark, at);
    if (!inComment) kept.push(line.slice(at, found < 0 ? line.length : found));
    if (found < 0) break;
    inComment = !inComment;
    at = found + mark.length;
  }
  return { rest: kept.join(""), inComment };
}

export function forEachOutsideCode(
  lines: readonly string[],
  from: number,
  visit: (line: string, at: number) => void,
): void {
  let fence: string | undefined;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const mark = /^\s*(?:[-*+]\s+)?(`{3,}|~{3,})(.*)$/.exec(line);
    if (fence !== undefined) {
      if (mark?.[1]?.startsWith(fence) && mark[2]?.trim() === "") fence = undefined;
      continue;
    }
    // If more backticks follow the opening ones, it is inline code.
    if (mark?.[1] !== undefined && !mark[2]?.includes("`")) fence = mark[1];
    else visit(line, at);
  }
}

// The block between two `---` lines, read leniently: real files contain text that YAML refuses (`globs: **/*`).

type FrontMatter = ReadonlyMap<string, string>;

/** The fields, each as the lines from its name to the next one's, and the number of lines in the block. */
function readFrontMatter(lines: readonly string[]) {
  const end =
    lines[0]?.trimEnd() === "---"
      ? lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line))
      : -1;
  const fields = new Map<string, string>();
  let name = "";
  for (const line of lines.slice(1, Math.max(1, end))) {
    const [, begun, value = line] = /^([\w-]+)\s*:(.*)$/.exec(line) ?? [];
    name = begun ?? name;
    fields.set(name, begun === undefined ? `${fields.get(name) ?? ""}\n${value}` : value);
  }
  return { fields, lines: end + 1 };
}

/** A field that is text, or a list of texts, which are joined by commas. */
export function textField(fields: FrontMatter, name: string): string {
  const value = (fields.get(name) ?? "").trim();
  const inline = /^\[([\s\S]*)\]$/.exec(value)?.[1]?.split(",");
  const below = value.startsWith("- ") ? value.split(/^\s*- /m) : undefined;
  const texts = inline ?? below ?? [value.replace(/^[>|][+-]?\n/, "")];
  return texts
    .map(unquoted)
    .filter((text) => text !== "")
    .join(", ");
}

function unquoted(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const [, quote, inside = line] = /^(["'])(.*)\1$/.exec(line) ?? [];
  return quote === '"' ? inside.replace(/\\(["\\])/g, "$1") : inside.replaceAll("''", "'");
}

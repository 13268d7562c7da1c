// Turns sections into entries: small sections as a whole, long ones split by their subsections or paragraphs.

import { COMFORTABLE_CONTENT } from "../../author/check.ts";
import type { Rule } from "../formats/rules.ts";
import { type Page, render, type Section } from "./page.ts";
import { freeName, slug, slugKeepsAllWords, toPlain } from "./plain.ts";

/** Collects the rules of one category under distinct keywords. */
export interface Collector {
  add(keyword: string, content: string, line: number): void;
  readonly rules: readonly Rule[];
}

export function openCollector(definitions: Page["definitions"]): Collector {
  const rules = new Map<string, Rule>();
  const counts = new Map<string, number>();
  const add = (given: string, content: string, line: number) => {
    const text = withDefinitions(withoutRules(content), definitions);
    const name = given || "rule";
    // Generated pages repeat sections; each is imported once.
    if (text === "" || rules.get(name)?.content === text) return;
    const keyword = freeName(name, (each) => !rules.has(each), counts);
    rules.set(keyword, { keyword, content: text, line });
  };
  return {
    add,
    get rules() {
      return [...rules.values()];
    },
  };
}

/** Text without sections becomes one entry, or several that end at paragraph ends. */
export function collectText(
  text: string,
  { keyword, line }: { readonly keyword: string; readonly line: number },
  into: Collector,
): void {
  for (const [index, part] of parts(text).entries())
    into.add(index === 0 ? keyword : `${keyword}-part-${index + 1}`, part, line);
}

/** A section as one entry, or a long one as its own text and an entry per subsection. */
export function collectSection(section: Section, into: Collector): void {
  const name = slug(section.heading);
  const whole = render(section);
  const isOne = whole.length <= COMFORTABLE_CONTENT || section.children.length === 0;
  const text = headed(section, name, isOne ? whole : section.body);
  collectText(text, { keyword: name, line: section.line }, into);
  for (const child of isOne ? [] : section.children) collectSection(child, into);
}

// If a keyword lacks words of its heading, the text repeats the heading.
function headed(section: Section, name: string, text: string): string {
  if (text === "" || slugKeepsAllWords(section.heading, name)) return text;
  return `**${toPlain(section.heading)}**\n\n${text}`;
}

function parts(text: string): readonly string[] {
  if (text.length <= COMFORTABLE_CONTENT) return [text];
  const made: string[] = [];
  for (const block of toBlocks(text)) {
    const joined = `${made.at(-1) ?? ""}\n\n${block}`.trim();
    if (made.length > 0 && joined.length <= COMFORTABLE_CONTENT) made[made.length - 1] = joined;
    else made.push(block);
  }
  return made;
}

/** Splits text into paragraphs; a code block is one paragraph, however many blank lines it contains. */
function toBlocks(text: string): readonly string[] {
  const blocks: string[] = [];
  let fenced = false;
  for (const paragraph of text.split(/\n[ \t]*\n/)) {
    if (fenced) blocks.push(`${blocks.pop()}\n\n${paragraph}`);
    else blocks.push(paragraph);
    const marks = paragraph.match(/^[ \t]*(?:`{3,}|~{3,})/gm)?.length ?? 0;
    if (marks % 2 === 1) fenced = !fenced;
  }
  return blocks.filter((block) => block.trim() !== "");
}

/** Removes horizontal rules at the start and end, which only separate the page from its surroundings. */
function withoutRules(text: string): string {
  const lines = text.trim().split("\n");
  const isRule = (line: string | undefined) => /^\s*(?:[-*_]{3,}\s*)?$/.test(line ?? "x");
  while (isRule(lines.at(-1))) lines.pop();
  const first = lines.findIndex((line) => !isRule(line));
  return lines.slice(Math.max(0, first)).join("\n").trim();
}

function withDefinitions(text: string, definitions: Page["definitions"]): string {
  if (definitions.size === 0) return text;
  const used = new Map<string, string>();
  for (const [, label = ""] of text.matchAll(/\[([^\]]{1,200})\](?!\()/g)) {
    const target = definitions.get(label.toLowerCase());
    if (target !== undefined) used.set(label.toLowerCase(), `[${label}]: ${target}`);
  }
  return used.size === 0 ? text : `${text}\n\n${[...used.values()].join("\n")}`;
}

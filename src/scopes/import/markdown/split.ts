// Turns sections into entries: small sections as a whole, long ones split by their subsections, bullets or paragraphs.

import { trimEndOf } from "../../../text/clean/trim.ts";
import { COMFORTABLE_CONTENT } from "../../author/check.ts";
import type { Rule } from "../formats/rules.ts";
import { type Page, render, type Section } from "./page.ts";
import { freeName, slug, slugKeepsAllWords, toPlain, words } from "./plain.ts";

export interface SplitOptions {
  /** Make every bullet an entry, not only labelled ones. */
  readonly bullets: boolean;
}

/** Collects the rules of one category under distinct keywords. */
export interface Collector {
  add(keyword: string, content: string, line: number, fallback?: string): void;
  readonly rules: readonly Rule[];
}

export function openCollector(definitions: Page["definitions"]): Collector {
  const rules = new Map<string, Rule>();
  const known = new Set<string>();
  const counts = new Map<string, number>();
  const isFree = (name: string) => !rules.has(name);
  const add = (keyword: string, content: string, line: number, fallback = "") => {
    const text = withDefinitions(withoutRules(content), definitions);
    const name = keyword === "" ? fallback || "rule" : keyword;
    // Generated pages repeat sections; each is imported once.
    if (text === "" || known.has(`${name}\n${text}`)) return;
    known.add(`${name}\n${text}`);
    const longer = fallback === "" ? name : `${fallback}-${name}`;
    const chosen = [name, longer].find(isFree) ?? freeName(name, isFree, counts);
    rules.set(chosen, { keyword: chosen, content: text, line });
  };
  return {
    add,
    get rules() {
      return [...rules.values()];
    },
  };
}

/**
 * Used if the whole file is one category: a section becomes one entry, or a long one an entry per
 * subsection.
 */
export function collectSection(section: Section, into: Collector, { bullets }: SplitOptions): void {
  const isList = bullets && section.children.length === 0;
  if (!isList || !collectBullets(section, slug(section.heading), into)) {
    collectTree(section, "", into);
  }
}

/**
 * Used if the section is a category itself: its own text gets the category's name, and the
 * subsections follow.
 */
export function collectCategory(section: Section, into: Collector, options: SplitOptions): void {
  const name = slug(section.heading);
  const list = splitList(section.body);
  if (isLabelled(list) || (options.bullets && list.items.length > 0)) {
    collectBullets(section, name, into);
  } else {
    collectText(section.body, { keyword: name, line: section.line }, into);
  }
  for (const child of section.children) collectTree(child, name, into);
}

/** Text without sections becomes one entry, or several that end at paragraph ends. */
export function collectText(
  text: string,
  at: { readonly keyword: string; readonly line: number; readonly fallback?: string },
  into: Collector,
): void {
  for (const [index, part] of parts(text).entries()) {
    const keyword = index === 0 ? at.keyword : `${at.keyword}-part-${index + 1}`;
    into.add(keyword, part, at.line, at.fallback);
  }
}

/** A section as one entry, or a long one as its own text and an entry per subsection. */
function collectTree(section: Section, parent: string, into: Collector): void {
  const name = slug(section.heading);
  const whole = render(section);
  const isOne = whole.length <= COMFORTABLE_CONTENT || section.children.length === 0;
  const at = { keyword: name, line: section.line, fallback: parent };
  collectText(headed(section, name, isOne ? whole : section.body), at, into);
  for (const child of isOne ? [] : section.children) collectTree(child, name, into);
}

export function collectBullets(section: Section, name: string, into: Collector): boolean {
  const { around, items } = splitList(section.body);
  if (items.length === 0) return false;
  if (around !== "") collectText(around, { keyword: name, line: section.line }, into);
  for (const item of items) {
    into.add(itemKeyword(item), item.text, section.line + 1 + item.offset, name);
  }
  return true;
}

// If a keyword lacks words of its heading, the text repeats the heading.
function headed(section: Section, name: string, text: string): string {
  if (text === "" || slugKeepsAllWords(section.heading, name)) return text;
  return `**${toPlain(section.heading)}**\n\n${text}`;
}

function parts(text: string): readonly string[] {
  if (text.length <= COMFORTABLE_CONTENT) return [text];
  const blocks = toBlocks(text);
  // Parts have similar lengths, because a last part of two lines would be useless.
  const count = Math.ceil(text.length / COMFORTABLE_CONTENT);
  const aim = Math.ceil(text.length / count);
  const made: string[] = [];
  let open = "";
  for (const block of blocks) {
    const joined = open === "" ? block : `${open}\n\n${block}`;
    const full = joined.length > COMFORTABLE_CONTENT || open.length >= aim;
    if (open !== "" && full) {
      made.push(open);
      open = block;
    } else open = joined;
  }
  return open === "" ? made : [...made, open];
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

// Bullets as rules: the items of a list, named by their bold label or their first words.

interface Item {
  readonly text: string;
  readonly label: string;
  /** The number of lines below the text's first line. */
  readonly offset: number;
}

interface SplitList {
  /** The text before and after the list. */
  readonly around: string;
  readonly items: readonly Item[];
}

const MAX_WORDS = 6;
const MIN_CHARACTERS = 100;

/** Collects the top-level bullets of a text. Numbered lists are steps of one rule, not rules. */
export function splitList(text: string): SplitList {
  const around: string[] = [];
  const items: { lines: string[]; offset: number }[] = [];
  let open = false;
  let fenced = false;
  for (const [offset, line] of text.split("\n").entries()) {
    const item = items.at(-1);
    if (/^\s*(?:`{3,}|~{3,})/.test(line)) fenced = !fenced;
    if (!fenced && /^[-*+]\s+\S/.test(line)) {
      items.push({ lines: [line.replace(/^[-*+]\s+/, "")], offset });
      open = true;
    } else if (
      open &&
      item !== undefined &&
      (line.trim() === "" || /^\s/.test(line) || isLazyContinuation(item, line))
    ) {
      item.lines.push(line.replace(/^ {1,4}/, ""));
    } else {
      open = false;
      around.push(line);
    }
  }
  return {
    around: around.join("\n").trim(),
    items: items.map(({ lines, offset }) => {
      const whole = lines.join("\n").trim();
      return { text: whole, label: labelOf(whole), offset };
    }),
  };
}

/**
 * True if every bullet has a bold label, because then the author named the rules. One-liners and
 * commands belong together.
 */
export function isLabelled({ items }: SplitList): boolean {
  const prose = (text: string) => text.replace(/`[^`]*`/g, "").length;
  const characters = items.reduce((sum, item) => sum + prose(item.text), 0);
  return (
    items.length >= 3 &&
    items.every((item) => item.label !== "") &&
    characters >= items.length * MIN_CHARACTERS
  );
}

function itemKeyword({ label, text }: Item): string {
  if (label !== "") return slug(label);
  const clause =
    toPlain(text.split("\n")[0] ?? "").split(/[.:;!?](?:\s|$)|\s[—–-]\s|\s\(/)[0] ?? "";
  return slug(words(clause).slice(0, MAX_WORDS).join(" "));
}

function labelOf(text: string): string {
  const label = /^(?:\*\*|__)(.+?)(?:\*\*|__)/.exec(text)?.[1] ?? "";
  return trimEndOf(toPlain(label), ":.");
}

// A paragraph's next line belongs to its item even without indentation.
function isLazyContinuation(item: { lines: readonly string[] }, line: string): boolean {
  return item.lines.at(-1)?.trim() !== "" && /^[^\s#>|`~]/.test(line);
}

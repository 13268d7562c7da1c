// Markdown written for agents, as topics: AGENTS.md and CLAUDE.md, Cursor's rules, Copilot's instructions, skills, and
// trees of guides.
import { COMFORTABLE_CONTENT } from "../../author/check.ts";
import { describe } from "../markdown/describe.ts";
import { type Page, readPage, renderPage, textField } from "../markdown/page.ts";
import { slug, toPlain, words } from "../markdown/plain.ts";
import { collectSection, collectText, openCollector } from "../markdown/split.ts";
import type { Topic } from "./rules.ts";
import { folderOf } from "./scope-tree.ts";

const README = /(?:^|\/)(?:readme|index)\.(?:md|markdown)$/i;

export function isReadme(path: string): boolean {
  return README.test(path);
}

/**
 * AGENTS.md and CLAUDE.md: each second-level heading becomes a category, and the sections inside it its keywords. The
 * description is that of the scope that the file's folder becomes.
 */
export function readAgents(text: string, owner: string) {
  const page = readPage(text);
  const description = describe({ lead: page.lead, headings: [] });
  const sections = page.sections.map(({ heading, line, body, children }): Topic => {
    const into = openCollector(page.definitions);
    const name = slug(heading);
    collectText(body, { keyword: name, line }, into);
    for (const child of children) collectSection(child, into);
    const headings = children.map((child) => child.heading);
    const lead = headings.length > 0 ? body : "";
    const category = name || "rules";
    return { category, owner, description: describe({ lead, headings }), rules: into.rules };
  });
  // Rules without a heading. A single introductory paragraph only describes the folder.
  const isOnlyIntroduced = sections.length > 0 && isCoveredBy(page.lead, description);
  const into = openCollector(page.definitions);
  if (!isOnlyIntroduced) collectText(page.lead, { keyword: "general", line: page.leadLine }, into);
  const lead: Topic = { category: "general", owner, description: "", rules: into.rules };
  return { topics: into.rules.length === 0 ? sections : [lead, ...sections], description };
}

/** Cursor's NAME.mdc has `globs`, Copilot's NAME.instructions.md has `applyTo`. */
export function readRule(text: string, path: string, field: "globs" | "applyTo"): Topic {
  const page = readPage(text);
  const appliesTo = textField(page.fields, field);
  return toTopic(page, { category: stemOf(path), owner: path, appliesTo });
}

/** SKILL.md says when to use the skill and how. */
export function readSkill(text: string, path: string): Topic {
  const page = readPage(text);
  const folder = path.split("/").at(-2) ?? "";
  const category = slug(textField(page.fields, "name")) || slug(folder) || "skill";
  return toTopic(page, { category, owner: folderOf(path) });
}

/** A Markdown file next to SKILL.md is its reference. `path` is in the folder of the skill whose topic is `of`. */
export function readSkillReference(text: string, path: string, { category, owner }: Topic): Topic {
  const page = readPage(text);
  const inside = path.slice(owner.length).replace(/\.\w+$/, "");
  const keyword = slug(inside.replace(/^\/?(?:references?|docs)\//, ""));
  const into = openCollector(page.definitions);
  const whole = renderPage(page);
  const isShort = whole.length <= COMFORTABLE_CONTENT;
  collectText(isShort ? whole : page.lead, { keyword, line: page.leadLine }, into);
  for (const section of isShort ? [] : page.sections) {
    const heading = `${keyword} ${words(section.heading).join(" ")}`;
    collectSection({ ...section, heading }, into);
  }
  return { category, owner, description: "", rules: into.rules };
}

/**
 * A folder's README is a category; so is every other file that is too large to be a keyword of its folder's.
 * `guideFolder`: the nearest folder above the file and below the root that has a README; "" if there is no such folder.
 */
export function readGuide(text: string, path: string, guideFolder: string): Topic {
  const page = readPage(text);
  if (isReadme(path)) {
    const folder = folderOf(path);
    const category = lastSlug(folder) || slug(page.title) || "guide";
    return toTopic(page, { category, owner: folder || path });
  }
  if (guideFolder === "") return toTopic(page, { category: stemOf(path), owner: path });
  const category = lastSlug(guideFolder) || "guide";
  const whole = renderPage(page);
  if (whole.length > COMFORTABLE_CONTENT) {
    const own = slug(`${category} ${stemOf(path)}`);
    return toTopic(page, { category: own, owner: path });
  }
  const into = openCollector(page.definitions);
  collectText(whole, { keyword: stemOf(path), line: page.leadLine }, into);
  return { category, owner: guideFolder, description: "", rules: into.rules };
}

interface TopicOptions {
  readonly category: string;
  readonly owner: string;
  readonly appliesTo?: string;
}

/** A file as one category: its sections are the keywords, its lead says what it is about. */
function toTopic(page: Page, options: TopicOptions): Topic {
  const { category, owner, appliesTo = "" } = options;
  const into = openCollector(page.definitions);
  const description = describe({
    stated: textField(page.fields, "description"),
    appliesTo,
    lead: page.sections.length > 0 ? page.lead : "",
    headings: page.sections.map((section) => section.heading),
  });
  // A lead that only repeats the description would be read twice.
  if (page.sections.length === 0 || !isCoveredBy(page.lead, description))
    collectText(page.lead, { keyword: category, line: page.leadLine }, into);
  for (const section of page.sections) collectSection(section, into);
  return { category, owner, description, rules: into.rules };
}

/** True if the text is one short paragraph and the description contains all of it. */
function isCoveredBy(text: string, description: string): boolean {
  return text.length < 1_000 && text !== "" && description.startsWith(toPlain(text));
}

/** The file's name without folder, extension and the suffixes that collections append. */
function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const stem = name.replace(/(?:\.instructions)?\.(?:mdc|md|markdown)$/i, "");
  return slug(stem) || "rules";
}

function lastSlug(folder: string): string {
  return slug(folder.slice(folder.lastIndexOf("/") + 1));
}

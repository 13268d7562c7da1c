// A scope's effective rules as a skill: a page that says what there is, and a file for each category.

import type { Scopes } from "../../../scopes/scopes.ts";
import { byName } from "../../../text/by-name.ts";
import type { ResourceText, Skill } from "../../family.ts";
import { toSkillName } from "./skill-names.ts";

const MARKDOWN = "text/markdown";
// What every host accepts: 512 files, including the page itself, and a description of 1,024 characters.
const MAX_CATEGORIES = 511;
const MAX_DESCRIPTION = 1_024;

export function skillFolder(scopeId: string): string {
  return `skill://scopes/${toSkillName(scopeId)}`;
}

export async function toSkill(scopes: Scopes, scopeId: string): Promise<Skill> {
  const resolved = await scopes.get(scopeId);
  const { id, tier, description = "" } = resolved.scope;
  const folder = skillFolder(id);
  const categories = [...resolved.categories()].sort((a, b) => byName(a.name, b.name));
  const kept = categories.slice(0, MAX_CATEGORIES).map((category) => ({
    ...category,
    keywords: resolved.keywords([category.name]).keywords[category.name] ?? [],
    file: `references/${toSkillName(category.name)}.md`,
  }));
  const name = toSkillName(id);
  const about = describe(id, description, kept);
  const page = [
    "---",
    `name: ${name}`,
    `description: ${JSON.stringify(about)}`,
    "---",
    "",
    `# Rules of ${id} (${tier})`,
    "",
    ...(description === "" ? [] : [description, ""]),
    "Before you write code, commit or review, read the file of each category that the task involves. Follow its rules, name each rule you applied, and point out where the task and a rule conflict.",
    "",
    ...kept.flatMap((category) => toLines(category)),
    `If the rules may have changed, call \`get_knowledge("${id}", keywords)\` on the same server for the current ones.`,
    "",
  ].join("\n");
  const files = await Promise.all(
    kept.map(async ({ name: category, file }) =>
      toFile(`${folder}/${file}`, await scopes.page(id, category)),
    ),
  );
  return {
    uri: `${folder}/SKILL.md`,
    frontmatter: { name, description: about },
    files: [toFile(`${folder}/SKILL.md`, page), ...files],
  };
}

interface Kept {
  readonly name: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly file: string;
}

function toLines({ name, description, keywords, file }: Kept): readonly string[] {
  const about = description === "" ? "" : ` ${description}`;
  return [`- [${name}](${file}):${about} ${keywords.join(", ")}`.trimEnd(), ""];
}

function describe(id: string, description: string, categories: readonly Kept[]): string {
  const names = categories.map(({ name }) => name).join(", ");
  const about = description === "" ? "" : ` ${description.replace(/\s+/g, " ").trim()}`;
  const text = `Rules for ${id}.${about} Use before writing code, committing or reviewing there. Covers: ${names}`;
  return Array.from(text).slice(0, MAX_DESCRIPTION).join("").trimEnd();
}

function toFile(uri: string, text: string): ResourceText {
  return { uri, mimeType: MARKDOWN, text };
}

import { createHash } from "node:crypto";
import { toPage } from "../../domain/call/cursor.ts";
import { defined } from "../../domain/defined.ts";
import type { Scopes } from "../../scopes/scopes.ts";
import { byName } from "../../text/by-name.ts";
import { MARKDOWN, type ResourceText, type Skill, type Skills } from "../family.ts";
import type { OpenScopes } from "./tool.ts";

// An entry names every file with its hash, so each scope on a page is rendered whole.
const PER_PAGE = 20;

/** Every scope as a skill, generated from the current rules. */
export function scopeSkills(open: OpenScopes): Skills {
  return {
    async list(cursor, context) {
      const scopes = await open(context);
      const { page, next } = toPage(await scopes.list(), cursor, PER_PAGE);
      const skills = await Promise.all(page.map(({ id }) => toSkill(scopes, id)));
      return { skills, ...defined({ next }) };
    },
    async find(uri, context) {
      const scopes = await open(context);
      const found = (await scopes.list()).find(({ id }) => uri.startsWith(`${skillFolder(id)}/`));
      return found === undefined ? undefined : toSkill(scopes, found.id);
    },
  };
}

// What every host accepts: 512 files, including the page itself, and a description of 1,024 characters.
const MAX_CATEGORIES = 511;
const MAX_DESCRIPTION = 1_024;

function skillFolder(scopeId: string): string {
  return `skill://scopes/${toSkillName(scopeId)}`;
}

/** A page that says what there is, and a file for each category. */
async function toSkill(scopes: Scopes, scopeId: string): Promise<Skill> {
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

// Names that Agent Skills allow: lower-case letters, digits and single hyphens, at most 64 of them.
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_CHARACTERS = 64;
const HASH_CHARACTERS = 8;

/** The name itself if it is allowed; otherwise what is left of it plus a hash, so that two names never become one. */
function toSkillName(name: string): string {
  if (name.length <= MAX_CHARACTERS && NAME.test(name) && !HASHED.test(name)) return name;
  const plain = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_CHARACTERS - HASH_CHARACTERS - 1)
    .replace(/^-+|-+$/g, "");
  const hash = createHash("sha256").update(name).digest("hex").slice(0, HASH_CHARACTERS);
  return plain === "" ? `rules-${hash}` : `${plain}-${hash}`;
}

// A name that looks like it has a hash gets one too, or it could be mistaken for another's.
const HASHED = /-[0-9a-f]{8}$/;

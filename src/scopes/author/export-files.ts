// Rules as the files that coding agents read, which can be imported again. A scope's own rules only: what it inherits
// belongs to the files of the folders above.
import type { RuleFileFormat, ScopeContent } from "../../domain/scope.ts";
import { byName } from "../../text/by-name.ts";
import { EXPORTED, marked } from "../import/formats/exported.ts";
import { slug } from "../import/markdown/plain.ts";

/** By path. */
export type RuleFiles = ReadonlyMap<string, string>;

const HEAD = `${EXPORTED}. Edit it as you like; the comments let \`scopes import\` know each rule. -->`;

export function toRuleFiles(scope: ScopeContent, format: RuleFileFormat): RuleFiles {
  const categories = categoriesOf(scope);
  if (format === "agents") {
    const parts = categories.map((category) => categoryText(category, 2));
    const head = [HEAD, marked(1, "scope", scope.id), scope.description ?? ""];
    return new Map([["AGENTS.md", textOf([...head, ...parts])]]);
  }
  const files = new Map<string, string>();
  for (const category of categories) {
    const name = slug(category.name) || "rules";
    const taken = [...files.keys()].filter((path) => path.includes(`/${name}.`)).length;
    const path = pathOf(format, taken === 0 ? name : `${name}-${taken + 1}`);
    files.set(path, textOf([frontMatter(format, category), HEAD, categoryText(category, 1)]));
  }
  return files;
}

interface Category {
  readonly name: string;
  readonly description: string;
  readonly rules: readonly { readonly keyword: string; readonly content: string }[];
}

function categoriesOf({ categories, entries }: ScopeContent): readonly Category[] {
  return categories
    .map(({ name, description }) => {
      const rules = entries.filter(({ category }) => category === name);
      return { name, description, rules: rules.sort((a, b) => byName(a.keyword, b.keyword)) };
    })
    .filter(({ rules }) => rules.length > 0)
    .sort((a, b) => byName(a.name, b.name));
}

function categoryText({ name, description, rules }: Category, level: number): string {
  const parts = rules.flatMap(({ keyword, content }) => [
    marked(level + 1, "rule", keyword),
    content,
  ]);
  return textOf([marked(level, "category", name), description, ...parts]);
}

function pathOf(format: "cursor" | "copilot", name: string): string {
  if (format === "cursor") return `.cursor/rules/${name}.mdc`;
  return `.github/instructions/${name}.instructions.md`;
}

function frontMatter(format: "cursor" | "copilot", { name, description }: Category): string {
  const says = `description: ${JSON.stringify(description || name)}`;
  const when = format === "cursor" ? "alwaysApply: false" : 'applyTo: "**"';
  return ["---", says, when, "---"].join("\n");
}

function textOf(parts: readonly string[]): string {
  return `${parts
    .filter((part) => part !== "")
    .join("\n\n")
    .trim()}\n`;
}

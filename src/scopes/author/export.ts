// Exports scopes as a file that can be imported again.
import { defined } from "../../domain/defined.ts";
import type { Entry, ExportFormat, ScopeContent } from "../../domain/scope.ts";
import { byName } from "../../text/by-name.ts";
import { ACTIVE, inertJson } from "../../text/clean/inert.ts";

interface FileCategory {
  readonly description: string;
  readonly entries: Record<string, string>;
}

/** `scopes` lists parents first, so that the file can be imported into an empty store. */
export async function exportScopes(
  scopes: readonly ScopeContent[],
  format: ExportFormat,
): Promise<string> {
  const file = { scopes: scopes.map(toFileScope) };
  if (format === "json") return `${inertJson(file, 2)}\n`;
  const { Document, visit } = await import("yaml");
  const document = new Document(file, { aliasDuplicateObjects: false });
  // Only double-quoted strings support escapes, so text with control or invisible characters is
  // written in them.
  visit(document, {
    Scalar: (_, node) => {
      if (typeof node.value === "string" && node.value.search(ACTIVE) >= 0) {
        node.type = "QUOTE_DOUBLE";
      }
    },
  });
  // Long lines are not folded, because folded lines are hard to read in a diff.
  return document.toString({ lineWidth: 0 }).replace(ACTIVE, escaped);
}

function escaped(found: string): string {
  return `\\U${(found.codePointAt(0) ?? 0).toString(16).padStart(8, "0")}`;
}

function toFileScope(scope: ScopeContent) {
  const categories: Record<string, FileCategory> = Object.create(null);
  for (const { name, description } of [...scope.categories].sort((a, b) =>
    byName(a.name, b.name),
  )) {
    categories[name] = { description, entries: Object.create(null) };
  }
  for (const { category, keyword, content } of [...scope.entries].sort(byKeyword)) {
    categories[category] ??= { description: "", entries: Object.create(null) };
    categories[category].entries[keyword] = content;
  }
  return {
    id: scope.id,
    tier: scope.tier,
    ...defined({ parent: scope.parent, description: scope.description }),
    categories,
  };
}

function byKeyword(a: Entry, b: Entry): number {
  return byName(a.category, b.category) || byName(a.keyword, b.keyword);
}

// A scope's resolved rules as one Markdown page, for people and for clients that attach resources.
import type { ResolvedScope } from "./resolve/resolve.ts";

export function toMarkdown(resolved: ResolvedScope, category?: string): string {
  const { scope, chain } = resolved;
  const lines = [`# Rules of ${scope.id}`, ""];
  if (scope.description !== undefined) lines.push(scope.description, "");
  lines.push(
    `Resolved from ${chain.map((one) => `${one.id} (${one.tier})`).join(" → ")}; the first one wins.`,
    "",
  );
  const chosen = resolved.categories().filter(({ name }) => (category ?? name) === name);
  for (const { name, description } of chosen) {
    lines.push(`## ${name}`, "");
    if (description !== "") lines.push(description, "");
    const keywords = resolved.keywords([name]).keywords[name] ?? [];
    lines.push(...keywords.flatMap((keyword) => entryLines(resolved, name, keyword)));
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

function entryLines(resolved: ResolvedScope, category: string, keyword: string): readonly string[] {
  const entry = resolved.entry(category, keyword);
  if (entry === undefined) return [];
  const lines = [`### ${keyword}`, "", demote(entry.content), ""];
  return entry.scope.id === resolved.scope.id ? lines : [...lines, `*From ${entry.scope.id}.*`, ""];
}

/** Moves headings inside an entry below the page's own three levels; code blocks are not changed. */
function demote(content: string): string {
  let fence: string | undefined;
  return content
    .split("\n")
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (mark !== undefined) {
        if (fence === undefined) fence = mark;
        else if (mark.startsWith(fence)) fence = undefined;
        return line;
      }
      if (fence !== undefined) return line;
      return line.replace(/^#{1,6} /, (hashes) => `${"#".repeat(Math.min(6, hashes.length + 2))} `);
    })
    .join("\n");
}

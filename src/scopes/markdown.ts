// A scope's resolved rules as one Markdown page, for people and for clients that attach resources.
import type { ResolvedScope } from "./resolve/resolve.ts";

export function toMarkdown(resolved: ResolvedScope, category?: string): string {
  const { scope, chain } = resolved;
  const lines = [`# Rules of ${scope.id}`, ""];
  if (scope.description !== undefined) lines.push(scope.description, "");
  lines.push(
    `Resolved from ${chain.map((one) => `${one.id} (${one.tier})`).join(" → ")}; the first named wins.`,
    "",
  );
  for (const { name, description } of resolved.categories()) {
    if (category !== undefined && name !== category) continue;
    lines.push(`## ${name}`, "");
    if (description !== "") lines.push(description, "");
    for (const keyword of resolved.keywords([name]).keywords[name] ?? []) {
      const entry = resolved.entry(name, keyword);
      if (entry === undefined) continue;
      lines.push(`### ${keyword}`, "", demote(entry.content), "");
      if (entry.scope.id !== scope.id) lines.push(`*From ${entry.scope.id}.*`, "");
    }
  }
  return `${lines.join("\n").trimEnd()}\n`;
}

/** Headings inside an entry go below the page's own three levels; code blocks stay as they are. */
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

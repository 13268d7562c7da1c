// Markdown that `scopes export` wrote: each heading says in a comment which category or rule it is, so that importing
// it again changes nothing, whatever the rules' own text looks like.
import type { Rule, Topic } from "./rules.ts";

export const EXPORTED = "<!-- Exported by knowledge-server";

const MARK = /^#{1,3} .* <!-- (scope|category|rule): ("(?:[^"\\]|\\.)*") -->$/;

/** The heading's words are for people; the name in the comment counts. */
export function marked(level: number, kind: "scope" | "category" | "rule", name: string): string {
  const quoted = JSON.stringify(name).replaceAll(">", "\\u003e");
  return `${"#".repeat(level)} ${name.replaceAll("<!--", "")} <!-- ${kind}: ${quoted} -->`;
}

export interface ExportedRules {
  readonly description: string;
  readonly topics: readonly Topic[];
}

/** Undefined if the text was not written by an export. */
export function readExported(text: string): ExportedRules | undefined {
  if (!text.slice(0, 5_000).includes(EXPORTED)) return undefined;
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const marks = lines.flatMap((line, at) => {
    const [, kind, quoted] = MARK.exec(line) ?? [];
    return quoted === undefined ? [] : [{ kind, name: JSON.parse(quoted) as string, at }];
  });
  const topics: (Topic & { readonly rules: Rule[] })[] = [];
  let description = "";
  for (const [index, { kind, name, at }] of marks.entries()) {
    const inside = lines.slice(at + 1, marks[index + 1]?.at);
    const content = inside.join("\n").trim();
    if (kind === "scope") description = content;
    else if (kind === "category")
      topics.push({ category: name, owner: name, description: content, rules: [] });
    else topics.at(-1)?.rules.push({ keyword: name, content, line: at + 1 });
  }
  return { description, topics };
}

// Which items a person wants: patterns in .gitignore syntax on their paths.
import type { SourceSettings } from "../../domain/source.ts";
import { openIgnoreRules } from "../../text/patterns/ignore-rules.ts";

type Patterns = Pick<SourceSettings, "include" | "exclude">;

export function openPatterns({ include, exclude = [] }: Patterns): (path: string) => boolean {
  const isExcluded = matcherOf(exclude);
  const isIncluded = include === undefined ? () => true : matcherOf(include);
  return (path) => isIncluded(path) && !isExcluded(path);
}

/** A pattern may name the item or a folder above it. */
function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  if (patterns.length === 0) return () => false;
  const rules = openIgnoreRules(patterns);
  return (path) => {
    const parts = path.split("/");
    return parts.some((_, at) => {
      const above = parts.slice(0, at + 1).join("/");
      return rules.match(above, at < parts.length - 1) === "ignored";
    });
  };
}

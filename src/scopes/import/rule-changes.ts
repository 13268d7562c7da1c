// The rules that an import changes, with their texts, for a preview.
import type { ScopeContent } from "../../domain/scope.ts";
import type { ScopeChange } from "../../store/store.ts";

export interface RuleChange {
  readonly scope: string;
  readonly category: string;
  readonly keyword: string;
  readonly outcome: "added" | "changed" | "removed";
  readonly before?: string;
  readonly after?: string;
}

// Nobody reads more than this; the counts include all of them.
const MOST = 200;
const LONGEST = 2_000;

export function ruleChanges(
  changes: readonly ScopeChange[],
  contents: ReadonlyMap<string, ScopeContent>,
): readonly RuleChange[] {
  const found: RuleChange[] = [];
  for (const change of changes) {
    if (found.length === MOST) break;
    if (change.kind !== "put-entry" && change.kind !== "remove-entry") continue;
    const { scope, category, keyword } = change;
    const before = contents
      .get(scope)
      ?.entries.find((entry) => entry.category === category && entry.keyword === keyword)?.content;
    const after = change.kind === "put-entry" ? change.content : undefined;
    found.push({
      scope,
      category,
      keyword,
      outcome: outcomeOf(before, after),
      ...(before !== undefined && { before: shorten(before) }),
      ...(after !== undefined && { after: shorten(after) }),
    });
  }
  return found;
}

function outcomeOf(before: string | undefined, after: string | undefined): RuleChange["outcome"] {
  if (after === undefined) return "removed";
  return before === undefined ? "added" : "changed";
}

function shorten(text: string): string {
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()}…`;
}

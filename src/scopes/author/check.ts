// Finds what an author should look at: rules that cannot be chosen, cannot be seen, or cost too much to read.
import { type Message, toMessage } from "../../domain/phrases/messages.ts";
import type { ScopeContent } from "../../domain/scope.ts";
import { byName } from "../../text/by-name.ts";

type FindingKind =
  | "empty-description"
  | "empty-category"
  | "empty-scope"
  | "orphan"
  | "over-long"
  | "repeated"
  | "shadowed"
  | "in-two-categories";

export interface Finding {
  readonly level: "warning" | "info";
  readonly kind: FindingKind;
  readonly scope: string;
  readonly category?: string;
  readonly keyword?: string;
  readonly message: Message;
}

/** About 2,000 tokens: an agent that asks for five keywords still has room to work. */
export const COMFORTABLE_CONTENT = 8_000;

export function check(scopes: readonly ScopeContent[]): readonly Finding[] {
  const byId = new Map(scopes.map((scope) => [scope.id, scope]));
  const parents = new Set(scopes.map((scope) => scope.parent));
  const stated = statements(scopes);
  return scopes.flatMap((scope) => [
    ...tree(scope, byId, parents),
    ...categories(scope, byId),
    ...entries(scope, byId, stated),
  ]);
}

function tree(
  scope: ScopeContent,
  byId: ReadonlyMap<string, ScopeContent>,
  parents: ReadonlySet<string | undefined>,
): readonly Finding[] {
  const found: Finding[] = [];
  const say = (kind: FindingKind, ...message: Parameters<typeof toMessage>) =>
    found.push({ level: "warning", kind, scope: scope.id, message: toMessage(...message) });
  if (scope.parent !== undefined && !byId.has(scope.parent)) {
    say("orphan", "ruleParentMissing", scope.parent);
  } else if (scope.parent === undefined && scope.tier !== "GENERAL" && byId.size > 1) {
    say("orphan", "ruleParentUnset", scope.tier);
  }
  if (scope.entries.length === 0 && scope.categories.length === 0 && !parents.has(scope.id)) {
    say("empty-scope", "ruleScopeEmpty");
  }
  return found;
}

function categories(
  scope: ScopeContent,
  byId: ReadonlyMap<string, ScopeContent>,
): readonly Finding[] {
  const filled = new Set(scope.entries.map((entry) => entry.category));
  return scope.categories.flatMap(({ name, description }) => {
    const found: Finding[] = [];
    const where = { level: "warning", scope: scope.id, category: name } as const;
    const described = ancestors(scope, byId).some((one) =>
      one.categories.some((category) => category.name === name && category.description !== ""),
    );
    if (description === "" && !described) {
      // This is only a note: headings of AGENTS.md become categories, and their names often say enough.
      const message = toMessage("ruleUndescribed");
      found.push({ ...where, level: "info", kind: "empty-description", message });
    }
    if (!filled.has(name) && !ancestors(scope, byId).some((one) => holds(one, name))) {
      found.push({ ...where, kind: "empty-category", message: toMessage("ruleCategoryEmpty") });
    }
    return found;
  });
}

function entries(
  scope: ScopeContent,
  byId: ReadonlyMap<string, ScopeContent>,
  stated: ReadonlyMap<string, ReadonlyMap<string, string>>,
): readonly Finding[] {
  const above = ancestors(scope, byId);
  const where = new Map<string, string[]>();
  const found = scope.entries.flatMap(({ category, keyword, content }): Finding[] => {
    const at = { scope: scope.id, category, keyword };
    where.set(keyword, [...(where.get(keyword) ?? []), category]);
    const findings: Finding[] = [];
    if (content.length > COMFORTABLE_CONTENT) {
      const message = toMessage("ruleLong", content.length);
      findings.push({ ...at, level: "warning", kind: "over-long", message });
    }
    const hidden = above.find((one) => stated.get(one.id)?.has(`${category}/${keyword}`));
    if (hidden === undefined) return findings;
    const same = stated.get(hidden.id)?.get(`${category}/${keyword}`) === content;
    findings.push(
      same
        ? {
            ...at,
            level: "warning",
            kind: "repeated",
            message: toMessage("ruleRepeated", hidden.id),
          }
        : { ...at, level: "info", kind: "shadowed", message: toMessage("ruleShadowed", hidden.id) },
    );
    return findings;
  });
  for (const [keyword, names] of where) {
    if (names.length < 2) continue;
    const message = toMessage("ruleTwice", names.sort(byName).join(", "), keyword);
    found.push({ level: "info", kind: "in-two-categories", scope: scope.id, keyword, message });
  }
  return found;
}

function holds(scope: ScopeContent, category: string): boolean {
  return scope.entries.some((entry) => entry.category === category);
}

function ancestors(
  scope: ScopeContent,
  byId: ReadonlyMap<string, ScopeContent>,
): readonly ScopeContent[] {
  const above: ScopeContent[] = [];
  let next = scope.parent === undefined ? undefined : byId.get(scope.parent);
  while (next !== undefined && !above.includes(next)) {
    above.push(next);
    next = next.parent === undefined ? undefined : byId.get(next.parent);
  }
  return above;
}

function statements(scopes: readonly ScopeContent[]) {
  return new Map(
    scopes.map((scope) => [
      scope.id,
      new Map(scope.entries.map((one) => [`${one.category}/${one.keyword}`, one.content])),
    ]),
  );
}

// Merges the scopes of all sources and finds faults in their hierarchy before anything is written.
import { type Scope, TIERS } from "../../domain/scope.ts";
import type { ScopeChange } from "../../store/store.ts";
import { fault } from "../names.ts";
import type { ImportedScope, Refusal } from "./formats/rules.ts";

/** `isAtTop`: the sources define the scope's place in the tree, without a parent. */
type StatedScope = ImportedScope & { readonly isAtTop?: boolean };

export function withStatedPlace(scope: ImportedScope): StatedScope {
  return { ...scope, isAtTop: scope.tier !== undefined && scope.parent === undefined };
}

/** Returns one scope per id, parents first. Every fault of the tree is reported before anything is written. */
export function mergeScopes(imported: readonly ImportedScope[], known: ReadonlyMap<string, Scope>) {
  const { byId, fatal } = mergeById(imported);
  for (const scope of byId.values()) {
    const reason = parentFault(scope, byId, known);
    if (reason !== undefined) fatal.push({ ...sourcePosition(scope), reason });
  }
  const scopes = [...byId.values()].sort(
    (a, b) => rank(a, known.get(a.id)) - rank(b, known.get(b.id)),
  );
  return { scopes, fatal };
}

/** Merges what several sources say about one scope. */
function mergeById(imported: readonly ImportedScope[]) {
  const fatal: Refusal[] = [];
  const byId = new Map<string, ImportedScope>();
  for (const scope of imported) {
    const reason = fault("id", scope.id) ?? fault("description", scope.description ?? "");
    if (reason !== undefined) fatal.push({ source: scope.source, line: scope.line, reason });
    const before = byId.get(scope.id);
    if (before === undefined) byId.set(scope.id, scope);
    else if (scope.line > 0 && before.line > 0) {
      fatal.push({ ...sourcePosition(scope), reason: `"${scope.id}" is defined twice` });
    } else {
      byId.set(scope.id, {
        ...before,
        categories: [...before.categories, ...scope.categories],
        entries: [...before.entries, ...scope.entries],
      });
    }
  }
  return { byId, fatal };
}

function parentFault(
  scope: ImportedScope,
  byId: ReadonlyMap<string, ImportedScope>,
  known: ReadonlyMap<string, Scope>,
): string | undefined {
  const { tier, parent } = withStoredFields(scope, known.get(scope.id));
  if (parent === undefined) return undefined;
  const above = byId.get(parent) ?? known.get(parent);
  const aboveTier = above && withStoredFields(above, known.get(parent)).tier;
  if (aboveTier === undefined) return `the parent "${parent}" of "${scope.id}" does not exist`;
  if (TIERS.indexOf(aboveTier) < TIERS.indexOf(tier)) return undefined;
  return `"${scope.id}" (${tier}) cannot be below "${parent}" (${aboveTier}): a parent needs a more general tier`;
}

/** Moving a scope changes what the scopes below it inherit, so it happens only on request. */
export function movesOf(
  scopes: readonly ImportedScope[],
  known: ReadonlyMap<string, Scope>,
): readonly Refusal[] {
  return scopes.flatMap((scope) => {
    const held = known.get(scope.id);
    const wanted = withStoredFields(scope, held);
    if (held === undefined || (wanted.tier === held.tier && wanted.parent === held.parent))
      return [];
    const from = `${held.tier} below ${held.parent ?? "nothing"}`;
    const to = `${wanted.tier} below ${wanted.parent ?? "nothing"}`;
    const reason = `"${scope.id}" is ${from} and would become ${to}; --replace moves it`;
    return [{ ...sourcePosition(scope), reason }];
  });
}

/** Moving scopes are detached from the tree first, so that two scopes can change places. */
export function detachments(
  scopes: readonly ImportedScope[],
  known: ReadonlyMap<string, Scope>,
): ScopeChange[] {
  return scopes.flatMap((scope) => {
    const held = known.get(scope.id);
    if (held?.parent === undefined) return [];
    const wanted = withStoredFields(scope, held);
    if (wanted.tier === held.tier && wanted.parent === held.parent) return [];
    const { id, tier } = held;
    return [{ kind: "put-scope", scope: { id, tier } } as const];
  });
}

function rank(scope: ImportedScope, held: Scope | undefined): number {
  return TIERS.indexOf(withStoredFields(scope, held).tier);
}

/** Fields that the sources omit keep the values in the store. */
export function withStoredFields(scope: StatedScope | Scope, held: Scope | undefined): Scope {
  const isSameTier = scope.tier === undefined || scope.tier === held?.tier;
  const isMoved = !isSameTier || ("isAtTop" in scope && scope.isAtTop === true);
  const parent = scope.parent ?? (isMoved ? undefined : held?.parent);
  const description = scope.description ?? held?.description;
  return {
    id: scope.id,
    tier: scope.tier ?? held?.tier ?? "PROJECT",
    ...(parent === undefined ? {} : { parent }),
    ...(description === undefined || description === "" ? {} : { description }),
  };
}

export function sourcePosition({
  source,
  line,
}: {
  readonly source: string;
  readonly line: number;
}) {
  return { source, line };
}

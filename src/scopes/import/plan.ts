// The difference between what the sources say and what the store has, as changes.

import { defined } from "../../domain/defined.ts";
import { type Scope, type ScopeContent, TIERS } from "../../domain/scope.ts";
import type { ScopeChange } from "../../store/store.ts";
import { fault } from "../names.ts";
import type { ImportedCategory, ImportedEntry, ImportedScope, Refusal } from "./formats/rules.ts";

export interface ScopeOutcome extends Omit<Scope, "description"> {
  readonly outcome: "added" | "changed" | "unchanged" | "refused";
  readonly entries: number;
}

interface Counts {
  added: number;
  changed: number;
  unchanged: number;
}

interface Current {
  /** Every scope in the store. */
  readonly known: ReadonlyMap<string, Scope>;
  /** The imported scopes that already exist, with their entries. */
  readonly contents: ReadonlyMap<string, ScopeContent>;
  readonly prune: boolean;
  /** Existing scopes may change their tier or parent. */
  readonly replace: boolean;
}

export function plan(
  imported: readonly ImportedScope[],
  { known, contents, prune, replace }: Current,
) {
  const { scopes, fatal } = mergeScopes(replace ? imported.map(withStatedPlace) : imported, known);
  const moves = movesOf(scopes, known);
  if (!replace) fatal.push(...moves.map(refuseMove));
  const refused: Refusal[] = [];
  // Moving scopes are detached from the tree first, so that two scopes can change places.
  const changes: ScopeChange[] = moves.flatMap(({ held: { id, tier, parent } }) =>
    parent === undefined ? [] : [{ kind: "put-scope", scope: { id, tier } }],
  );
  const outcomes: ScopeOutcome[] = [];
  const counts = new Map<string, Counts>();
  let notInSources = 0;
  for (const scope of scopes) {
    const held = contents.get(scope.id);
    const made = planScope(scope, held, { refused, counts, prune });
    notInSources += made.notInSources;
    for (const change of made.changes) changes.push(change);
    const outcome = outcomeOf(held !== undefined, made.changes.length > 0);
    outcomes.push({ ...withStoredFields(scope, held), outcome, entries: scope.entries.length });
  }
  return { changes, scopes: outcomes, counts, refused, fatal, notInSources };
}

function outcomeOf(isKnown: boolean, isChanged: boolean): keyof Counts {
  if (!isKnown) return "added";
  return isChanged ? "changed" : "unchanged";
}

interface Sink {
  readonly refused: Refusal[];
  readonly counts: Map<string, Counts>;
  readonly prune: boolean;
}

function planScope(scope: ImportedScope, held: ScopeContent | undefined, sink: Sink) {
  const changes: ScopeChange[] = [];
  const wanted = withStoredFields(scope, held);
  if (!sameScope(wanted, held)) changes.push({ kind: "put-scope", scope: wanted });
  const categories = new Map(held?.categories.map((one) => [one.name, one.description]));
  const taken = new Set<string>();
  for (const category of scope.categories) {
    const { name, description = categories.get(name) ?? "" } = category;
    if (taken.has(name) || refuses(category, "category", name, sink)) continue;
    if (refuses(category, "description", description, sink)) continue;
    taken.add(name);
    if (categories.get(name) === description) continue;
    changes.push({ kind: "put-category", scope: scope.id, name, description });
  }
  const { puts, named } = planEntries(scope, held, taken, sink);
  for (const put of puts) changes.push(put);
  const gone = (held?.entries ?? []).filter((one) => !named.has(keyOf(one)));
  if (sink.prune) changes.push(...removals(scope.id, gone, held, taken));
  return { changes, notInSources: gone.length };
}

function planEntries(
  scope: ImportedScope,
  held: ScopeContent | undefined,
  taken: ReadonlySet<string>,
  sink: Sink,
) {
  const puts: ScopeChange[] = [];
  const before = new Map(held?.entries.map((one) => [keyOf(one), one.content]));
  const named = new Set<string>();
  for (const entry of scope.entries) {
    const { category, keyword, content } = entry;
    if (!taken.has(category) || refusesEntry(entry, named, sink)) continue;
    named.add(keyOf(entry));
    const was = before.get(keyOf(entry));
    const outcome = outcomeOf(was !== undefined, was !== content);
    count(sink.counts, entry.source, outcome);
    if (outcome === "unchanged") continue;
    puts.push({ kind: "put-entry", scope: scope.id, category, keyword, content });
  }
  return { puts, named };
}

function refusesEntry(entry: ImportedEntry, named: ReadonlySet<string>, sink: Sink): boolean {
  const { category, keyword, content } = entry;
  if (refuses(entry, "keyword", keyword, sink) || refuses(entry, "content", content, sink)) {
    return true;
  }
  if (!named.has(keyOf(entry))) return false;
  sink.refused.push(refusal(entry, `"${category}/${keyword}" appears twice in the sources`));
  return true;
}

function removals(
  scope: string,
  gone: ScopeContent["entries"],
  held: ScopeContent | undefined,
  taken: ReadonlySet<string>,
): readonly ScopeChange[] {
  return [
    ...gone.map(
      ({ category, keyword }) => ({ kind: "remove-entry", scope, category, keyword }) as const,
    ),
    ...(held?.categories ?? [])
      .filter(({ name }) => !taken.has(name))
      .map(({ name }) => ({ kind: "remove-category", scope, name }) as const),
  ];
}

function sameScope(a: Scope, b: Scope | undefined): boolean {
  return (
    b !== undefined &&
    a.tier === b.tier &&
    a.parent === b.parent &&
    (a.description ?? "") === (b.description ?? "")
  );
}

function refuses(
  at: ImportedCategory | ImportedEntry,
  kind: Parameters<typeof fault>[0],
  value: string,
  sink: Sink,
): boolean {
  const reason = fault(kind, value);
  if (reason === undefined) return false;
  const name = "keyword" in at ? `${at.category}/${at.keyword}` : at.name;
  sink.refused.push(refusal(at, `${name.slice(0, 80)}: ${reason}`));
  return true;
}

function keyOf({ category, keyword }: { readonly category: string; readonly keyword: string }) {
  return `${category}/${keyword}`;
}

function count(counts: Map<string, Counts>, source: string, what: keyof Counts): void {
  const held = counts.get(source) ?? { added: 0, changed: 0, unchanged: 0 };
  held[what]++;
  counts.set(source, held);
}

/** `isAtTop`: the sources define the scope's place in the tree, without a parent. */
type StatedScope = ImportedScope & { readonly isAtTop?: boolean };

function withStatedPlace(scope: ImportedScope): StatedScope {
  return { ...scope, isAtTop: scope.tier !== undefined && scope.parent === undefined };
}

/** Returns one scope per id, parents first. Every fault of the tree is reported before anything is written. */
function mergeScopes(imported: readonly ImportedScope[], known: ReadonlyMap<string, Scope>) {
  const { byId, fatal } = mergeById(imported);
  for (const scope of byId.values()) {
    const reason = parentFault(scope, byId, known);
    if (reason !== undefined) fatal.push(refusal(scope, reason));
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
    if (reason !== undefined) fatal.push(refusal(scope, reason));
    const before = byId.get(scope.id);
    if (before === undefined) byId.set(scope.id, scope);
    else if (scope.line > 0 && before.line > 0) {
      fatal.push(refusal(scope, `"${scope.id}" is defined twice`));
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

/** The scopes that get another tier or parent. */
function movesOf(scopes: readonly ImportedScope[], known: ReadonlyMap<string, Scope>) {
  return scopes.flatMap((scope) => {
    const held = known.get(scope.id);
    const wanted = withStoredFields(scope, held);
    const isMoved = held && (wanted.tier !== held.tier || wanted.parent !== held.parent);
    return isMoved ? [{ scope, held, wanted }] : [];
  });
}

/** Moving a scope changes what the scopes below it inherit, so it happens only on request. */
function refuseMove({ scope, held, wanted }: ReturnType<typeof movesOf>[number]): Refusal {
  const from = `${held.tier} below ${held.parent ?? "nothing"}`;
  const to = `${wanted.tier} below ${wanted.parent ?? "nothing"}`;
  return refusal(scope, `"${scope.id}" is ${from} and would become ${to}; --replace moves it`);
}

function rank(scope: ImportedScope, held: Scope | undefined): number {
  return TIERS.indexOf(withStoredFields(scope, held).tier);
}

/** Fields that the sources omit keep the values in the store. */
function withStoredFields(scope: StatedScope | Scope, held: Scope | undefined): Scope {
  const isSameTier = scope.tier === undefined || scope.tier === held?.tier;
  const isMoved = !isSameTier || ("isAtTop" in scope && scope.isAtTop === true);
  const parent = scope.parent ?? (isMoved ? undefined : held?.parent);
  const description = scope.description ?? held?.description;
  return {
    id: scope.id,
    tier: scope.tier ?? held?.tier ?? "PROJECT",
    ...defined({ parent, description: description || undefined }),
  };
}

function refusal({ source, line }: Omit<Refusal, "reason">, reason: string): Refusal {
  return { source, line, reason };
}

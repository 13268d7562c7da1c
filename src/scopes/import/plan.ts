// The difference between what the sources say and what the store has, as changes.
import type { Scope, ScopeContent } from "../../domain/scope.ts";
import type { ScopeChange } from "../../store/store.ts";
import { fault } from "../names.ts";
import type { ImportedCategory, ImportedEntry, ImportedScope, Refusal } from "./formats/rules.ts";
import {
  detachments,
  mergeScopes,
  movesOf,
  sourcePosition,
  withStatedPlace,
  withStoredFields,
} from "./merge-scopes.ts";

export interface ScopeOutcome {
  readonly id: string;
  readonly tier: Scope["tier"];
  readonly parent?: string;
  readonly outcome: "added" | "changed" | "unchanged" | "refused";
  readonly entries: number;
}

interface Counts {
  added: number;
  changed: number;
  unchanged: number;
}

export interface Plan {
  readonly changes: readonly ScopeChange[];
  readonly scopes: readonly ScopeOutcome[];
  readonly counts: ReadonlyMap<string, Counts>;
  readonly refused: readonly Refusal[];
  readonly fatal: readonly Refusal[];
  readonly notInSources: number;
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
): Plan {
  const { scopes, fatal } = mergeScopes(replace ? imported.map(withStatedPlace) : imported, known);
  if (!replace) fatal.push(...movesOf(scopes, known));
  const refused: Refusal[] = [];
  const changes: ScopeChange[] = detachments(scopes, known);
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
  const reason = `"${category}/${keyword}" appears twice in the sources`;
  sink.refused.push({ ...sourcePosition(entry), reason });
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
  sink.refused.push({ ...sourcePosition(at), reason: `${name.slice(0, 80)}: ${reason}` });
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

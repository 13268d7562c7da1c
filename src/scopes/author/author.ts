// Writes rules one by one: turns a tool's request into changes that the store applies together.

import { defined } from "../../domain/defined.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import { type Scope, TIERS, type Tier } from "../../domain/scope.ts";
import type { ScopeChange, ScopeSummary } from "../../store/store.ts";
import { count } from "../../text/english/count.ts";
import { accept, toName } from "../names.ts";
import type { ResolvedEntry, ResolvedScope } from "../resolve/resolve.ts";

interface ScopePut {
  readonly id: string;
  /** Required for a new scope. When an existing scope is changed, omitted fields keep their values. */
  readonly tier?: Tier;
  /** null removes the parent. */
  readonly parent?: string | null;
  readonly description?: string;
  readonly categories?: readonly { readonly name: string; readonly description: string }[];
}

interface EntryRef {
  readonly scope: string;
  readonly category: string;
  readonly keyword: string;
}

interface EntryPut extends EntryRef {
  readonly content: string;
  readonly categoryDescription?: string;
}

type Written = "created" | "updated" | "unchanged";

interface EntryWritten extends EntryRef {
  readonly outcome: Written;
  /** The inherited entry that this one now hides. */
  readonly overrides?: ResolvedEntry;
}

interface EntryRemoved extends EntryRef {
  /** The entry that the scope now inherits instead. */
  readonly inherited?: ResolvedEntry;
}

export interface Authoring {
  putScope(put: ScopePut): Promise<Scope & { readonly outcome: Written }>;
  putEntry(put: EntryPut): Promise<EntryWritten>;
  removeEntry(ref: EntryRef): Promise<EntryRemoved>;
  removeScope(id: string): Promise<ScopeSummary>;
  summary(id: string): Promise<ScopeSummary>;
}

interface Parts {
  readonly get: (id: string) => Promise<ResolvedScope>;
  readonly list: () => Promise<readonly ScopeSummary[]>;
  readonly apply: (changes: readonly ScopeChange[]) => Promise<void>;
}

export function openAuthoring(parts: Parts): Authoring {
  const find = async (id: string) => (await parts.list()).find((scope) => scope.id === id);
  const summary = async (id: string): Promise<ScopeSummary> => {
    const found = await find(toName(id));
    if (found !== undefined) return found;
    // The index throws an error that suggests similar ids.
    await parts.get(id);
    throw new KnowledgeError("SCOPE_NOT_FOUND", `No scope has the id "${id}".`);
  };

  return {
    summary,
    putScope: async (put) => {
      const id = accept("id", put.id, "scope_id");
      const held = await find(id);
      const scope = toScope(id, put, held);
      // If the parent does not exist, the index throws an error that suggests similar ids.
      if (scope.parent !== undefined) await parts.get(scope.parent);
      const changes = scopeChanges(scope, held, put, held && (await parts.get(id)));
      await parts.apply(changes);
      return { ...scope, outcome: outcomeOf(held, changes) };
    },
    putEntry: (put) => putEntry(put, parts),
    removeEntry: (ref) => removeEntry(ref, parts),
    removeScope: async (id) => {
      const held = await summary(id);
      const children = (await parts.list()).filter((scope) => scope.parent === held.id);
      if (children.length > 0) throw hasChildren(held.id, children);
      await parts.apply([{ kind: "remove-scope", id: held.id }]);
      return held;
    },
  };
}

function outcomeOf(before: object | undefined, changes: readonly ScopeChange[]) {
  if (before === undefined) return "created";
  return changes.length > 0 ? "updated" : "unchanged";
}

async function putEntry(put: EntryPut, parts: Parts): Promise<EntryWritten> {
  const resolved = await parts.get(put.scope);
  const scope = resolved.scope.id;
  const category = accept("category", put.category, "category");
  const keyword = accept("keyword", put.keyword, "keyword");
  const content = accept("content", put.content, "content");
  const before = resolved.entry(category, keyword);
  const own = before?.scope.id === scope ? before : undefined;

  const changes: ScopeChange[] = [];
  const description = describe(put.categoryDescription, "category_description");
  // The description is written only if it was passed: the entry creates its category, which another
  // process may just have described.
  if (description !== undefined && description !== resolved.own(category)?.description) {
    changes.push({ kind: "put-category", scope, name: category, description });
  }
  if (own?.content !== content) {
    changes.push({ kind: "put-entry", scope, category, keyword, content });
  }
  await parts.apply(changes);
  const outcome = outcomeOf(own, changes);
  const overrides = resolved.inherited(category, keyword);
  return { scope, category, keyword, outcome, ...defined({ overrides }) };
}

async function removeEntry(asked: EntryRef, parts: Parts): Promise<EntryRemoved> {
  const resolved = await parts.get(asked.scope);
  const scope = resolved.scope.id;
  const ref = { scope, category: toName(asked.category), keyword: toName(asked.keyword) };
  const entry = resolved.entry(ref.category, ref.keyword);
  if (entry?.scope.id !== scope) throw noSuchEntry(ref, entry);
  // If this was the only entry of a category without a description, the category is removed too.
  // The store decides that, because what was resolved here may lack an entry that another process
  // has just added.
  await parts.apply([{ kind: "remove-entry", ...ref, withBareCategory: true }]);
  const inherited = (await parts.get(scope)).entry(ref.category, ref.keyword);
  return { ...ref, ...defined({ inherited }) };
}

function describe(given: string | undefined, parameter: string): string | undefined {
  return given === undefined ? undefined : accept("description", given, parameter);
}

function toScope(id: string, put: ScopePut, held: Scope | undefined): Scope {
  const tier = put.tier ?? held?.tier;
  if (tier === undefined) {
    throw new KnowledgeError(
      "MISSING_REQUIRED_PARAMETER",
      `"${id}" is a new scope and needs a tier: ${TIERS.join(", ")}.`,
      { details: { parameter: "tier" } },
    );
  }
  const parent = put.parent === undefined ? held?.parent : (put.parent ?? undefined);
  const description = describe(put.description, "description") ?? held?.description;
  return {
    id,
    tier,
    ...(parent === undefined ? {} : { parent: accept("id", parent, "parent") }),
    ...defined({ description: description || undefined }),
  };
}

function scopeChanges(
  scope: Scope,
  held: Scope | undefined,
  put: ScopePut,
  resolved: ResolvedScope | undefined,
): readonly ScopeChange[] {
  const changes: ScopeChange[] = [];
  const same =
    held !== undefined &&
    held.tier === scope.tier &&
    held.parent === scope.parent &&
    (held.description ?? "") === (scope.description ?? "");
  if (!same) changes.push({ kind: "put-scope", scope });
  for (const category of put.categories ?? []) {
    const name = accept("category", category.name, "categories");
    const description = accept("description", category.description, "categories");
    if (resolved?.own(name)?.description === description) continue;
    changes.push({ kind: "put-category", scope: scope.id, name, description });
  }
  return changes;
}

function noSuchEntry(ref: EntryRef, inherited: ResolvedEntry | undefined): KnowledgeError {
  const name = `${ref.category}/${ref.keyword}`;
  const message =
    inherited === undefined
      ? `"${ref.scope}" has no entry "${name}"; get_keywords lists its keywords.`
      : `"${ref.scope}" inherits "${name}" from "${inherited.scope.id}": remove it there, or override it here with its own entry.`;
  return new KnowledgeError("ENTRY_NOT_FOUND", message, {
    details: { scope_id: ref.scope, category: ref.category, keyword: ref.keyword },
  });
}

function hasChildren(id: string, children: readonly Scope[]): KnowledgeError {
  const ids = children.map((child) => child.id);
  return new KnowledgeError(
    "SCOPE_HAS_CHILDREN",
    `"${id}" is the parent of ${count(ids.length, "scope")}. Move or remove the children first.`,
    { details: { scope_id: id, children: ids.slice(0, 20) } },
  );
}

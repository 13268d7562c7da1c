// A ScopeStore on Maps: the model for property tests of the drivers, and a fast store for other tests.
import { KnowledgeError } from "../../src/domain/errors.ts";
import { type Scope, type ScopeContent, TIERS } from "../../src/domain/scope.ts";
import type { ScopeChange, ScopeStore } from "../../src/store/store.ts";

interface Held {
  scope: Scope;
  categories: Map<string, { description: string; entries: Map<string, string> }>;
}

export function openMemoryScopes(): ScopeStore & { readonly reads: () => number } {
  let version = 0;
  let reads = 0;
  let scopes = new Map<string, Held>();

  const contentOf = ({ scope, categories }: Held): ScopeContent => ({
    ...scope,
    categories: [...categories].map(([name, { description }]) => ({ name, description })),
    entries: [...categories].flatMap(([category, { entries }]) =>
      [...entries].map(([keyword, content]) => ({ category, keyword, content })),
    ),
  });

  return {
    reads: () => reads,
    version: () => version,
    list: async () =>
      [...scopes.values()].map((held) => ({
        ...held.scope,
        categoryCount: held.categories.size,
        entryCount: contentOf(held).entries.length,
      })),
    chain: async (id) => {
      reads++;
      const chain: ScopeContent[] = [];
      for (let at = scopes.get(id); at !== undefined; at = scopes.get(at.scope.parent ?? "")) {
        chain.push(contentOf(at));
      }
      return chain;
    },
    all: async () =>
      [...scopes.values()]
        .map(contentOf)
        .sort((a, b) => TIERS.indexOf(a.tier) - TIERS.indexOf(b.tier) || (a.id < b.id ? -1 : 1)),
    apply: async (changes) => {
      const draft = structuredClone(scopes);
      for (const change of changes) applyOne(draft, change);
      scopes = draft;
      version++;
    },
  };
}

function applyOne(scopes: Map<string, Held>, change: ScopeChange): void {
  if (change.kind === "put-scope") {
    putScope(scopes, change.scope);
    return;
  }
  const id = change.kind === "remove-scope" ? change.id : change.scope;
  const held = scopes.get(id);
  if (held === undefined) throw new KnowledgeError("SCOPE_NOT_FOUND", `No scope "${id}".`);
  switch (change.kind) {
    case "remove-scope":
      if ([...scopes.values()].some(({ scope }) => scope.parent === id)) {
        throw new KnowledgeError("SCOPE_HAS_CHILDREN", `"${id}" has children.`);
      }
      scopes.delete(id);
      return;
    case "put-category": {
      const entries = held.categories.get(change.name)?.entries ?? new Map();
      held.categories.set(change.name, { description: change.description, entries });
      return;
    }
    case "remove-category":
      held.categories.delete(change.name);
      return;
    case "put-entry": {
      const category = held.categories.get(change.category) ?? {
        description: "",
        entries: new Map(),
      };
      held.categories.set(change.category, category);
      category.entries.set(change.keyword, change.content);
      return;
    }
    case "remove-entry":
      removeEntry(held, change);
  }
}

function removeEntry({ categories }: Held, change: ScopeChange & { kind: "remove-entry" }): void {
  const category = categories.get(change.category);
  if (category?.entries.delete(change.keyword) !== true) {
    throw new KnowledgeError("ENTRY_NOT_FOUND", `No entry "${change.keyword}".`);
  }
  const isBare = category.description === "" && category.entries.size === 0;
  if (change.withBareCategory && isBare) categories.delete(change.category);
}

function putScope(scopes: Map<string, Held>, scope: Scope): void {
  const rank = (one: Scope) => TIERS.indexOf(one.tier);
  const parent = scope.parent === undefined ? undefined : scopes.get(scope.parent);
  if (scope.parent !== undefined && parent === undefined) {
    throw new KnowledgeError("SCOPE_NOT_FOUND", `No parent "${scope.parent}".`);
  }
  const children = [...scopes.values()].filter((held) => held.scope.parent === scope.id);
  const fits =
    (parent === undefined || rank(parent.scope) < rank(scope)) &&
    children.every((child) => rank(child.scope) > rank(scope));
  if (!fits) throw new KnowledgeError("SCOPE_CONFLICT", `"${scope.id}" does not fit its place.`);
  const held = scopes.get(scope.id);
  scopes.set(scope.id, { scope, categories: held?.categories ?? new Map() });
}

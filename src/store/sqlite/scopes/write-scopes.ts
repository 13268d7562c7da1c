// Changes to the hierarchy. Each is checked against the state left by the changes before it.
import { KnowledgeError } from "../../../domain/errors.ts";
import { type Scope, TIERS } from "../../../domain/scope.ts";
import type { ScopeChange } from "../../store.ts";
import type { Database } from "../database.ts";

interface ScopeRow {
  readonly scope: number;
  readonly tier: number;
  readonly path: string;
}

export function openScopeWriter(database: Database) {
  return {
    apply: (changes: readonly ScopeChange[]): void =>
      database.write(() => {
        let changed = 0;
        // Imports name the same scope and category thousands of times in a row.
        const known = new Map<string, number>();
        for (const change of changes) changed += applyChange(database, change, known);
        if (changed > 0) {
          database.run("UPDATE state SET scopes_version = scopes_version + 1 WHERE id = 1");
        }
      }),
  };
}

type Known = Map<string, number>;

/** Returns how many rows changed. */
function applyChange(database: Database, change: ScopeChange, known: Known): number {
  switch (change.kind) {
    case "put-scope":
      return putScope(database, change.scope);
    case "remove-scope":
      known.clear();
      return removeScope(database, change.id);
    case "put-category":
      return putCategory(database, change, known);
    case "remove-category":
      known.clear();
      return removeCategory(database, change, known);
    case "put-entry":
      return putEntry(database, change, known);
    case "remove-entry":
      return removeEntry(database, change, known);
  }
}

type Of<Kind extends ScopeChange["kind"]> = Extract<ScopeChange, { kind: Kind }>;

function putCategory(database: Database, change: Of<"put-category">, known: Known): number {
  return database.run(
    `INSERT INTO categories (scope, name, description) VALUES (?, ?, ?)
     ON CONFLICT (scope, name) DO UPDATE SET description = excluded.description
     WHERE description IS NOT excluded.description`,
    scopeNumber(database, change.scope, known),
    change.name,
    change.description,
  ).changes;
}

function removeCategory(database: Database, change: Of<"remove-category">, known: Known): number {
  const { changes } = database.run(
    "DELETE FROM categories WHERE scope = ? AND name = ?",
    scopeNumber(database, change.scope, known),
    change.name,
  );
  return removed(changes, { scope_id: change.scope, category: change.name });
}

function putEntry(database: Database, change: Of<"put-entry">, known: Known): number {
  return database.run(
    `INSERT INTO entries (category, keyword, content) VALUES (?, ?, ?)
     ON CONFLICT (category, keyword) DO UPDATE SET content = excluded.content
     WHERE content IS NOT excluded.content`,
    categoryNumber(database, change, known),
    change.keyword,
    change.content,
  ).changes;
}

function removeEntry(database: Database, change: Of<"remove-entry">, known: Known): number {
  const { changes } = database.run(
    `DELETE FROM entries WHERE keyword = ? AND category =
       (SELECT category FROM categories WHERE scope = ? AND name = ?)`,
    change.keyword,
    scopeNumber(database, change.scope, known),
    change.category,
  );
  const { scope, category, keyword } = change;
  if (changes > 0 && change.withBareCategory) removeIfEmpty(database, change, known);
  return removed(changes, { scope_id: scope, category, keyword });
}

/** Checked inside the transaction, so that no other process can add an entry in between. */
function removeIfEmpty(database: Database, change: Of<"remove-entry">, known: Known): void {
  database.run(
    `DELETE FROM categories WHERE scope = ? AND name = ? AND description = ''
       AND NOT EXISTS (SELECT 1 FROM entries e WHERE e.category = categories.category)`,
    scopeNumber(database, change.scope, known),
    change.category,
  );
  known.clear();
}

function removed(changes: number, details: Record<string, string>): number {
  if (changes > 0) return changes;
  throw new KnowledgeError("ENTRY_NOT_FOUND", "This scope has nothing with that name.", {
    details,
  });
}

function findScope(database: Database, id: string): ScopeRow | undefined {
  return database.get<ScopeRow>("SELECT scope, tier, path FROM scopes WHERE id = ?", id);
}

function needScope(database: Database, id: string): ScopeRow {
  const row = findScope(database, id);
  if (row) return row;
  throw new KnowledgeError("SCOPE_NOT_FOUND", "There is no scope with this id.", {
    details: { scope_id: id },
  });
}

function scopeNumber(database: Database, id: string, known: Known): number {
  const found = known.get(id) ?? needScope(database, id).scope;
  known.set(id, found);
  return found;
}

function categoryNumber(
  database: Database,
  { scope, category }: { readonly scope: string; readonly category: string },
  known: Known,
): number {
  const key = `${scope}\0${category}`;
  const cached = known.get(key);
  if (cached !== undefined) return cached;
  const owner = scopeNumber(database, scope, known);
  database.run(
    "INSERT OR IGNORE INTO categories (scope, name, description) VALUES (?, ?, '')",
    owner,
    category,
  );
  const row = database.get<{ category: number }>(
    "SELECT category FROM categories WHERE scope = ? AND name = ?",
    owner,
    category,
  );
  const number = Number(row?.category);
  known.set(key, number);
  return number;
}

function putScope(database: Database, scope: Scope): number {
  const tier = TIERS.indexOf(scope.tier);
  const parent = scope.parent === undefined ? undefined : needScope(database, scope.parent);
  if (parent && parent.tier >= tier) {
    throw conflict(scope.id, "A scope's parent must have a more general tier than the scope.");
  }
  const old = findScope(database, scope.id);
  const path = `${parent?.path ?? ""}/${encodeURIComponent(scope.id)}`;
  const description = scope.description ?? null;
  if (!old) {
    return database.run(
      "INSERT INTO scopes (id, tier, parent, path, description) VALUES (?, ?, ?, ?, ?)",
      scope.id,
      tier,
      parent?.scope ?? null,
      path,
      description,
    ).changes;
  }
  const child = database.get(
    "SELECT 1 FROM scopes WHERE parent = ? AND tier <= ? LIMIT 1",
    old.scope,
    tier,
  );
  if (child)
    throw conflict(scope.id, "The scope's children would no longer have a more specific tier.");
  if (path !== old.path) movePaths(database, old.path, path);
  return database.run(
    `UPDATE scopes SET tier = ?, parent = ?, path = ?, description = ? WHERE scope = ?
       AND (tier, parent, description) IS NOT (?, ?, ?)`,
    tier,
    parent?.scope ?? null,
    path,
    description,
    old.scope,
    tier,
    parent?.scope ?? null,
    description,
  ).changes;
}

// A parent's tier is always more general, so a scope can never become its own ancestor.
function movePaths(database: Database, from: string, to: string): void {
  database.run(
    `UPDATE scopes SET path = ? || substr(path, ?) WHERE path > ? || '/' AND path < ? || '0'`,
    to,
    from.length + 1,
    from,
    from,
  );
}

function removeScope(database: Database, id: string): number {
  const { scope } = needScope(database, id);
  const children = database.all<{ id: string }>(
    "SELECT id FROM scopes WHERE parent = ? ORDER BY id LIMIT 10",
    scope,
  );
  if (children.length > 0) {
    throw new KnowledgeError(
      "SCOPE_HAS_CHILDREN",
      "Other scopes inherit from this one. Remove or move them first.",
      { details: { scope_id: id, children: children.map((child) => child.id) } },
    );
  }
  return database.run("DELETE FROM scopes WHERE scope = ?", scope).changes;
}

function conflict(id: string, message: string): KnowledgeError {
  return new KnowledgeError("SCOPE_CONFLICT", message, { details: { scope_id: id } });
}

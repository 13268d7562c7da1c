// Changes to the hierarchy. Each is checked against the state left by the changes before it; runs of entries and
// categories, as in imports, are stored together.
import { GENERAL_SCOPE } from "../../domain/call/grants.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import { type Scope, TIERS } from "../../domain/scope.ts";
import type { SourceSettings } from "../../domain/source.ts";
import { type Connection, fromJson, oneOf, sql } from "../sql.ts";
import { IS_OPEN } from "../tasks.ts";
import type { ScopeChange } from "./scopes.ts";

interface StoredScope {
  readonly id: string;
  readonly scope: number;
  readonly tier: number;
  readonly parent: number | null;
  readonly description: string | null;
}

interface State {
  readonly db: Connection;
  /** The scopes that the changes name, if they exist. */
  readonly scopes: Map<string, StoredScope>;
}

type Change<Kind extends ScopeChange["kind"]> = Extract<ScopeChange, { kind: Kind }>;

/** The new version, or undefined if nothing changed. */
export async function applyChanges(db: Connection, changes: readonly ScopeChange[]) {
  const names = [...new Set(changes.flatMap(namedIn))];
  const results = await db.together([
    // One writer at a time, so that nothing changes between check and write.
    sql`SELECT 1 FROM bases WHERE kb = ${db.kb} ${db.dialect.locked}`,
    sql`SELECT id, scope, tier, parent, description FROM scopes
      WHERE kb = ${db.kb} AND id ${oneOf("text", names)}`,
  ]);
  const rows = (results[1] ?? []) as readonly StoredScope[];
  const state: State = { db, scopes: new Map(rows.map((row) => [row.id, row])) };
  let changed = 0;
  for (const run of runs(changes)) changed += await applyRun(state, run);
  if (changed === 0) return undefined;
  const row = await db.one<{ version: number }>(sql`UPDATE bases
    SET scopes_version = scopes_version + 1 WHERE kb = ${db.kb} RETURNING scopes_version AS version`);
  const version = Number(row?.version);
  await db.run(db.dialect.announceScopes(db.kb, version));
  return version;
}

function namedIn(change: ScopeChange): readonly string[] {
  switch (change.kind) {
    case "put-scope":
      return [change.scope.id, ...(change.scope.parent === undefined ? [] : [change.scope.parent])];
    case "remove-scope":
      return [change.id];
    default:
      return [change.scope];
  }
}

/** Groups consecutive changes of the same kind. */
function runs(changes: readonly ScopeChange[]): ScopeChange[][] {
  const grouped: ScopeChange[][] = [];
  for (const change of changes) {
    const last = grouped.at(-1);
    if (last?.[0]?.kind === change.kind) last.push(change);
    else grouped.push([change]);
  }
  return grouped;
}

async function applyRun(state: State, run: readonly ScopeChange[]): Promise<number> {
  const [first] = run;
  if (first?.kind === "put-category") {
    return putCategories(state, run as readonly Change<"put-category">[]);
  }
  if (first?.kind === "put-entry") return putEntries(state, run as readonly Change<"put-entry">[]);
  let changed = 0;
  for (const change of run) changed += await applyOne(state, change);
  return changed;
}

/** Returns how many rows changed. */
async function applyOne(state: State, change: ScopeChange): Promise<number> {
  switch (change.kind) {
    case "put-scope":
      return putScope(state, change.scope);
    case "remove-scope":
      return removeScope(state, change.id);
    case "remove-category":
      return removeCategory(state, change);
    case "remove-entry":
      return removeEntry(state, change);
    default:
      return applyRun(state, [change]);
  }
}

const CATEGORIES = {
  table: "categories",
  columns: { kb: "integer", scope: "bigint", name: "text", description: "text" },
} as const;
const NEW_CATEGORIES = { ...CATEGORIES, after: sql`ON CONFLICT DO NOTHING` };
const PUT_CATEGORIES = {
  ...CATEGORIES,
  after: sql`ON CONFLICT (kb, scope, name) DO UPDATE SET description = excluded.description
    WHERE categories.description IS DISTINCT FROM excluded.description`,
};
const PUT_ENTRIES = {
  table: "entries",
  columns: { kb: "integer", category: "bigint", keyword: "text", content: "text" },
  after: sql`ON CONFLICT (kb, category, keyword) DO UPDATE SET content = excluded.content
    WHERE entries.content IS DISTINCT FROM excluded.content`,
} as const;

/** The last of those with the same name. */
function lastOf<Item>(items: readonly Item[], nameOf: (item: Item) => readonly unknown[]): Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(nameOf(item)), item])).values()];
}

async function putCategories(state: State, changes: readonly Change<"put-category">[]) {
  const { db } = state;
  const last = lastOf(changes, ({ scope, name }) => [scope, name]);
  const rows = last.map(({ scope, name, description }) => {
    return [db.kb, need(state, scope).scope, name, description];
  });
  return db.insert(PUT_CATEGORIES, rows);
}

async function putEntries(state: State, changes: readonly Change<"put-entry">[]): Promise<number> {
  const { db } = state;
  const last = lastOf(changes, ({ scope, category, keyword }) => [scope, category, keyword]);
  const places = lastOf(changes, ({ scope, category }) => [scope, category]);
  const made = await db.insert(
    NEW_CATEGORIES,
    places.map(({ scope, category }) => [db.kb, need(state, scope).scope, category, ""]),
  );
  const scopes = [...new Set(places.map(({ scope }) => need(state, scope).scope))];
  const rows = await db.all<{ scope: number; category: number; name: string }>(
    sql`SELECT scope, category, name FROM categories
      WHERE kb = ${db.kb} AND scope ${oneOf("bigint", scopes)}`,
  );
  const numbers = new Map(rows.map((row) => [`${row.scope} ${row.name}`, row.category]));
  const entries = last.map(({ scope, category, keyword, content }) => {
    const number = numbers.get(`${need(state, scope).scope} ${category}`) as number;
    return [db.kb, number, keyword, content];
  });
  return made + (await db.insert(PUT_ENTRIES, entries));
}

async function putScope(state: State, scope: Scope): Promise<number> {
  const { db, scopes } = state;
  const tier = TIERS.indexOf(scope.tier);
  const above = scope.parent === undefined ? undefined : need(state, scope.parent);
  // A parent's tier is always more general, so a scope can never become its own ancestor.
  if (above && above.tier >= tier) {
    throw conflict(scope.id, "A scope's parent must have a more general tier than the scope.");
  }
  if (above && scope.id === GENERAL_SCOPE)
    throw conflict(scope.id, "Every scope inherits this one, so it has no parent.");
  const parent = above?.scope ?? null;
  const description = scope.description ?? null;
  const old = scopes.get(scope.id);
  if (!old) {
    const made = await db.one<{ scope: number }>(sql`
      INSERT INTO scopes (kb, id, tier, parent, description)
      VALUES (${db.kb}, ${scope.id}, ${tier}, ${parent}, ${description}) RETURNING scope`);
    scopes.set(scope.id, { id: scope.id, scope: Number(made?.scope), tier, parent, description });
    return 1;
  }
  if (old.tier !== tier) await refuseTier(state, old, tier);
  if (old.tier === tier && old.parent === parent && old.description === description) return 0;
  await db.run(sql`UPDATE scopes SET tier = ${tier}, parent = ${parent}, description = ${description}
    WHERE kb = ${db.kb} AND scope = ${old.scope}`);
  scopes.set(scope.id, { ...old, tier, parent, description });
  return 1;
}

async function refuseTier({ db }: State, { id, scope }: StoredScope, tier: number): Promise<void> {
  const child = await db.one(sql`SELECT 1 AS child FROM scopes
    WHERE kb = ${db.kb} AND parent = ${scope} AND tier <= ${tier} LIMIT 1`);
  if (child) throw conflict(id, "The scope's children would no longer have a more specific tier.");
}

async function removeScope(state: State, id: string): Promise<number> {
  const { db, scopes } = state;
  const { scope } = need(state, id);
  const children = await db.all<{ id: string }>(sql`SELECT id FROM scopes
    WHERE kb = ${db.kb} AND parent = ${scope} ORDER BY id LIMIT 10`);
  if (children.length > 0) {
    throw new KnowledgeError(
      "SCOPE_HAS_CHILDREN",
      "Other scopes inherit from this one. Remove or move them first.",
      { details: { scope_id: id, children: children.map((child) => child.id) } },
    );
  }
  await refuseDocuments(db, id);
  scopes.delete(id);
  return db.run(sql`DELETE FROM scopes WHERE kb = ${db.kb} AND scope = ${scope}`);
}

/** Nobody could see them any more. */
async function refuseDocuments(db: Connection, id: string): Promise<void> {
  const [documents = [], tasks = []] = await db.together([
    sql`SELECT d.id AS document_id, d.filename FROM documents d
      WHERE d.kb = ${db.kb} AND d.scope = ${id} ORDER BY d.doc LIMIT 10`,
    sql`SELECT id AS task_id FROM tasks WHERE kb = ${db.kb} AND scope = ${id} AND ${IS_OPEN}
      ORDER BY seq LIMIT 10`,
  ]);
  if (documents.length + tasks.length === 0) return refuseSources(db, id);
  throw new KnowledgeError(
    "SCOPE_HAS_DOCUMENTS",
    "Documents belong to this scope, or are being added to it. Move or remove them first.",
    { details: { scope_id: id, documents, ...(tasks.length > 0 && { tasks }) } },
  );
}

/** The next sync would add documents to it, and whoever may add a scope with this id would see them. */
async function refuseSources(db: Connection, id: string): Promise<void> {
  const all = await db.all<{ id: string; settings: string }>(sql`SELECT id, settings FROM sources
    WHERE kb = ${db.kb} ORDER BY source`);
  const of = (settings: string) => (fromJson(settings) as SourceSettings | undefined)?.scope;
  const sources = all.filter(({ settings }) => of(settings) === id).map((each) => each.id);
  if (sources.length === 0) return;
  throw new KnowledgeError(
    "SCOPE_HAS_DOCUMENTS",
    "Sources add documents to this scope. Remove them first.",
    { details: { scope_id: id, documents: [], sources: sources.slice(0, 10) } },
  );
}

async function removeCategory(state: State, change: Change<"remove-category">): Promise<number> {
  const { db } = state;
  const { scope } = need(state, change.scope);
  const changed = await db.run(sql`DELETE FROM categories
    WHERE kb = ${db.kb} AND scope = ${scope} AND name = ${change.name}`);
  return removed(changed, { scope_id: change.scope, category: change.name });
}

async function removeEntry(state: State, change: Change<"remove-entry">): Promise<number> {
  const { db } = state;
  const { category, keyword } = change;
  const { scope } = need(state, change.scope);
  const named = sql`kb = ${db.kb} AND scope = ${scope} AND name = ${category}`;
  const changed = await db.run(sql`DELETE FROM entries WHERE kb = ${db.kb} AND keyword = ${keyword}
    AND category = (SELECT category FROM categories WHERE ${named})`);
  removed(changed, { scope_id: change.scope, category, keyword });
  // In the same transaction, so that no other process can add an entry in between.
  if (change.withBareCategory) {
    await db.run(sql`DELETE FROM categories WHERE ${named} AND description = '' AND NOT EXISTS (
      SELECT 1 FROM entries e WHERE e.kb = categories.kb AND e.category = categories.category)`);
  }
  return changed;
}

function removed(changes: number, details: Record<string, string>): number {
  if (changes > 0) return changes;
  const message = "This scope has nothing with that name.";
  throw new KnowledgeError("ENTRY_NOT_FOUND", message, { details });
}

function need({ scopes }: State, id: string): StoredScope {
  const known = scopes.get(id);
  if (known) return known;
  throw new KnowledgeError("SCOPE_NOT_FOUND", "There is no scope with this id.", {
    details: { scope_id: id },
  });
}

function conflict(id: string, message: string): KnowledgeError {
  return new KnowledgeError("SCOPE_CONFLICT", message, { details: { scope_id: id } });
}

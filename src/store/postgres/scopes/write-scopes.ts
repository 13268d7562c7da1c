// Changes to the hierarchy. Each is checked against the state left by the changes before it; runs of
// entries and categories, as in imports, are sent to the database as one statement.
import { KnowledgeError } from "../../../domain/errors.ts";
import { type Scope, TIERS } from "../../../domain/scope.ts";
import type { ScopeChange } from "../../store.ts";
import type { Sql } from "../connection.ts";
import { SCOPES_CHANNEL } from "./scopes-version.ts";

interface Known {
  readonly scope: number;
  readonly tier: number;
  readonly path: string;
}

interface State {
  readonly sql: Sql;
  readonly kb: number;
  readonly scopes: Map<string, Known>;
}

type Change<Kind extends ScopeChange["kind"]> = Extract<ScopeChange, { kind: Kind }>;

/** The new version, or undefined if nothing changed. */
export async function applyChanges(
  sql: Sql,
  kb: number,
  changes: readonly ScopeChange[],
): Promise<number | undefined> {
  // One writer at a time, so that nothing changes between check and write.
  await sql`SELECT 1 FROM knowledge.bases WHERE kb = ${kb} FOR UPDATE`;
  const rows = await sql<(Known & { id: string })[]>`
    SELECT id, scope, tier, path::text AS path FROM knowledge.scopes WHERE kb = ${kb}`;
  const state: State = { sql, kb, scopes: new Map(rows.map((row) => [row.id, row])) };
  let changed = 0;
  for (const run of runs(changes)) changed += await applyRun(state, run);
  if (changed === 0) return undefined;
  const [row] = await sql<{ version: number }[]>`
    UPDATE knowledge.bases SET scopes_version = scopes_version + 1 WHERE kb = ${kb}
    RETURNING scopes_version AS version`;
  const version = row?.version as number;
  await sql`SELECT pg_notify(${SCOPES_CHANNEL}, ${`${kb} ${version}`})`;
  return version;
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
  switch (run[0]?.kind) {
    case "put-category":
      return putCategories(state, run as readonly Change<"put-category">[]);
    case "put-entry":
      return putEntries(state, run as readonly Change<"put-entry">[]);
    default: {
      let changed = 0;
      for (const change of run) changed += await applyOne(state, change);
      return changed;
    }
  }
}

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
    case "put-category":
      return putCategories(state, [change]);
    case "put-entry":
      return putEntries(state, [change]);
  }
}

async function putCategories(
  state: State,
  changes: readonly Change<"put-category">[],
): Promise<number> {
  const { sql, kb } = state;
  const last = new Map(
    changes.map((change) => [JSON.stringify([change.scope, change.name]), change]),
  );
  const rows = [...last.values()];
  const { count } = await sql`
    INSERT INTO knowledge.categories AS c (kb, scope, name, description)
    SELECT ${kb}, scope, name, description
    FROM unnest(${rows.map((row) => need(state, row.scope).scope)}::bigint[],
      ${rows.map((row) => row.name)}::text[], ${rows.map((row) => row.description)}::text[])
      WITH ORDINALITY AS t (scope, name, description, place) ORDER BY place
    ON CONFLICT (kb, scope, name) DO UPDATE SET description = excluded.description
    WHERE c.description IS DISTINCT FROM excluded.description`;
  return count;
}

async function putEntries(state: State, changes: readonly Change<"put-entry">[]): Promise<number> {
  const { sql, kb } = state;
  const last = new Map(
    changes.map((each) => [JSON.stringify([each.scope, each.category, each.keyword]), each]),
  );
  const rows = [...last.values()];
  const scopes = rows.map((row) => need(state, row.scope).scope);
  const categories = rows.map((row) => row.category);
  const made = await sql`
    INSERT INTO knowledge.categories (kb, scope, name, description)
    SELECT ${kb}, scope, name, '' FROM (
      SELECT scope, name, min(place) AS place
      FROM unnest(${scopes}::bigint[], ${categories}::text[]) WITH ORDINALITY AS t (scope, name, place)
      GROUP BY scope, name
    ) named ORDER BY place
    ON CONFLICT DO NOTHING`;
  const { count } = await sql`
    INSERT INTO knowledge.entries AS e (kb, scope, category, keyword, content)
    SELECT ${kb}, t.scope, c.category, t.keyword, t.content
    FROM unnest(${scopes}::bigint[], ${categories}::text[], ${rows.map((row) => row.keyword)}::text[],
      ${rows.map((row) => row.content)}::text[])
      WITH ORDINALITY AS t (scope, name, keyword, content, place)
    JOIN knowledge.categories c ON c.kb = ${kb} AND c.scope = t.scope AND c.name = t.name
    ORDER BY place
    ON CONFLICT (kb, scope, category, keyword) DO UPDATE SET content = excluded.content
    WHERE e.content IS DISTINCT FROM excluded.content`;
  return made.count + count;
}

async function putScope(state: State, scope: Scope): Promise<number> {
  const { sql, kb, scopes } = state;
  const tier = TIERS.indexOf(scope.tier);
  const parent = scope.parent === undefined ? undefined : need(state, scope.parent);
  if (parent && parent.tier >= tier) {
    throw conflict(scope.id, "A scope's parent must have a more general tier than the scope.");
  }
  const description = scope.description ?? null;
  const old = scopes.get(scope.id);
  if (!old) {
    const [row] = await sql<Known[]>`
      WITH number AS (SELECT nextval('knowledge.scope_numbers') AS scope)
      INSERT INTO knowledge.scopes (kb, scope, id, tier, path, description)
      SELECT ${kb}, scope, ${scope.id}, ${tier},
        ${parent?.path ?? ""}::text::ltree || scope::text::ltree, ${description}::text
      FROM number RETURNING scope, tier, path::text AS path`;
    scopes.set(scope.id, row as Known);
    return 1;
  }
  if (childrenOf(state, old).some((child) => child.tier <= tier)) {
    throw conflict(scope.id, "The scope's children would no longer have a more specific tier.");
  }
  const path = parent ? `${parent.path}.${old.scope}` : String(old.scope);
  // A parent's tier is always more general, so a scope can never become its own ancestor.
  if (path !== old.path) await movePaths(state, old.path, path);
  const { count } = await sql`
    UPDATE knowledge.scopes SET tier = ${tier}, description = ${description}::text
    WHERE kb = ${kb} AND id = ${scope.id}
      AND (tier, description) IS DISTINCT FROM (${tier}::integer, ${description}::text)`;
  scopes.set(scope.id, { scope: old.scope, tier, path });
  return path === old.path ? count : 1;
}

async function movePaths({ sql, kb, scopes }: State, from: string, to: string): Promise<void> {
  await sql`UPDATE knowledge.scopes SET path = CASE WHEN path = ${from}::text::ltree
      THEN ${to}::text::ltree
      ELSE ${to}::text::ltree || subpath(path, nlevel(${from}::text::ltree)) END
    WHERE kb = ${kb} AND path <@ ${from}::text::ltree`;
  for (const [id, known] of scopes) {
    if (!known.path.startsWith(`${from}.`)) continue;
    scopes.set(id, { ...known, path: to + known.path.slice(from.length) });
  }
}

async function removeScope(state: State, id: string): Promise<number> {
  const { sql, kb, scopes } = state;
  const known = need(state, id);
  const children = childrenOf(state, known).map((child) => child.id);
  if (children.length > 0) {
    throw new KnowledgeError(
      "SCOPE_HAS_CHILDREN",
      "Other scopes inherit from this one. Remove or move them first.",
      { details: { scope_id: id, children: children.toSorted().slice(0, 10) } },
    );
  }
  await sql`DELETE FROM knowledge.entries WHERE kb = ${kb} AND scope = ${known.scope}`;
  await sql`DELETE FROM knowledge.categories WHERE kb = ${kb} AND scope = ${known.scope}`;
  await sql`DELETE FROM knowledge.scopes WHERE kb = ${kb} AND id = ${id}`;
  scopes.delete(id);
  return 1;
}

async function removeCategory(state: State, change: Change<"remove-category">): Promise<number> {
  const { sql, kb } = state;
  const { scope } = need(state, change.scope);
  const [row] = await sql<{ category: number }[]>`
    DELETE FROM knowledge.categories WHERE kb = ${kb} AND scope = ${scope} AND name = ${change.name}
    RETURNING category`;
  if (!row) throw missing({ scope_id: change.scope, category: change.name });
  await sql`DELETE FROM knowledge.entries
    WHERE kb = ${kb} AND scope = ${scope} AND category = ${row.category}`;
  return 1;
}

async function removeEntry(state: State, change: Change<"remove-entry">): Promise<number> {
  const { sql, kb } = state;
  const { scope } = need(state, change.scope);
  const { category, keyword } = change;
  const { count } = await sql`
    DELETE FROM knowledge.entries WHERE kb = ${kb} AND scope = ${scope} AND keyword = ${keyword}
      AND category = (SELECT category FROM knowledge.categories
        WHERE kb = ${kb} AND scope = ${scope} AND name = ${category})`;
  if (count === 0) throw missing({ scope_id: change.scope, category, keyword });
  // Checked while this transaction holds the lock, so that no other server can add an entry in between.
  if (change.withBareCategory) {
    await sql`DELETE FROM knowledge.categories c
      WHERE kb = ${kb} AND scope = ${scope} AND name = ${category} AND description = ''
        AND NOT EXISTS (SELECT 1 FROM knowledge.entries e
          WHERE e.kb = c.kb AND e.scope = c.scope AND e.category = c.category)`;
  }
  return count;
}

function childrenOf({ scopes }: State, { path }: Known): { id: string; tier: number }[] {
  return [...scopes]
    .filter(([, known]) => known.path === `${path}.${known.scope}`)
    .map(([id, { tier }]) => ({ id, tier }));
}

function need({ scopes }: State, id: string): Known {
  const known = scopes.get(id);
  if (known) return known;
  throw new KnowledgeError("SCOPE_NOT_FOUND", "There is no scope with this id.", {
    details: { scope_id: id },
  });
}

function missing(details: Record<string, string>): KnowledgeError {
  const message = "This scope has nothing with that name.";
  return new KnowledgeError("ENTRY_NOT_FOUND", message, { details });
}

function conflict(id: string, message: string): KnowledgeError {
  return new KnowledgeError("SCOPE_CONFLICT", message, { details: { scope_id: id } });
}

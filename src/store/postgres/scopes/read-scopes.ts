// Reads scopes. Paths consist of the scopes' numbers, because ids may contain characters that ltree does not allow.
import {
  type Category,
  type Entry,
  type ScopeContent,
  TIERS,
  type Tier,
} from "../../../domain/scope.ts";
import { PAGE_BYTES } from "../../ports/packed-scope.ts";
import type { PackedPage, ScopeStore, ScopeSummary } from "../../store.ts";
import type { Sql } from "../connection.ts";
import type { Database } from "../database.ts";
import type { Fragment } from "../documents/filter.ts";
import type { ScopesVersion } from "./scopes-version.ts";
import { applyChanges } from "./write-scopes.ts";

interface ScopeRow {
  readonly scope: number;
  readonly id: string;
  readonly tier: number;
  readonly path: string;
  readonly description: string | null;
}

export function openScopes(database: Database, version: ScopesVersion): ScopeStore {
  const { read, write } = database;
  return {
    version: version.get,
    list: () => read(listScopes),
    chain: (id, isKnown) => read((sql, kb) => readChain(sql, kb, { id, isKnown })),
    examples: (limit) => read((sql, kb) => readExamples(sql, kb, limit)),
    packed: (from) => read((sql, kb) => readPacked(sql, kb, from)),
    all: () =>
      read(async (sql, kb) =>
        readContents(sql, kb, { rows: await readScopes(sql, kb), only: sql`` }),
      ),
    async apply(changes) {
      const made = await write((sql, kb) => applyChanges(sql, kb, changes));
      if (made !== undefined) version.note(made);
    },
  };
}

/** Parents before children, siblings by id. */
async function readScopes(sql: Sql, kb: number): Promise<readonly ScopeRow[]> {
  const rows = await sql<ScopeRow[]>`
    SELECT scope, id, tier, path::text AS path, description FROM knowledge.scopes
    WHERE kb = ${kb} ORDER BY nlevel(path), id`;
  const places = new Map<string, string>();
  for (const { path, id } of rows) {
    places.set(path, `${places.get(parentPath(path)) ?? ""}/${encodeURIComponent(id)}`);
  }
  const placeOf = (row: ScopeRow) => places.get(row.path) as string;
  return rows.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1));
}

async function listScopes(sql: Sql, kb: number): Promise<readonly ScopeSummary[]> {
  const [rows, categories, entries] = await Promise.all([
    readScopes(sql, kb),
    sql<{ scope: number; count: number }[]>`
      SELECT scope, count(*) AS count FROM knowledge.categories WHERE kb = ${kb} GROUP BY scope`,
    sql<{ scope: number; count: number }[]>`
      SELECT scope, count(*) AS count FROM knowledge.entries WHERE kb = ${kb} GROUP BY scope`,
  ]);
  const countIn = (counts: readonly { scope: number; count: number }[]) =>
    new Map(counts.map(({ scope, count }) => [scope, count]));
  const [categoryCounts, entryCounts] = [countIn(categories), countIn(entries)];
  const toScope = openScopeTranslation(rows);
  return rows.map((row) => ({
    ...toScope(row),
    categoryCount: categoryCounts.get(row.scope) ?? 0,
    entryCount: entryCounts.get(row.scope) ?? 0,
  }));
}

interface ChainAsked {
  readonly id: string;
  readonly isKnown: ((id: string) => boolean) | undefined;
}

async function readExamples(sql: Sql, kb: number, limit: number): Promise<readonly string[]> {
  const rows = await sql<{ id: string }[]>`
    (SELECT id FROM knowledge.scopes WHERE kb = ${kb} ORDER BY scope DESC LIMIT 1) UNION ALL
    (SELECT id FROM knowledge.scopes WHERE kb = ${kb} ORDER BY tier, scope DESC LIMIT ${limit - 1})`;
  return [...new Set(rows.map(({ id }) => id))];
}

interface PackedRow extends Omit<ScopeRow, "path"> {
  readonly parent: string | null;
  /** JSON, or null if it is too large. */
  readonly content: string | null;
}

/** How many scopes are considered for one page. */
const PAGE_SCOPES = 50;

async function readPacked(sql: Sql, kb: number, from: number): Promise<PackedPage> {
  const rows = await sql<PackedRow[]>`
    WITH sized AS (
      SELECT scope, id, tier, path, description, (
        SELECT coalesce(sum(octet_length(keyword) + octet_length(content)), 0)
        FROM knowledge.entries e WHERE e.kb = s.kb AND e.scope = s.scope)::bigint AS bytes
      FROM knowledge.scopes s WHERE kb = ${kb} AND scope >= ${from} ORDER BY scope LIMIT ${PAGE_SCOPES}
    ), page AS (
      SELECT *, sum(bytes) FILTER (WHERE bytes <= ${PAGE_BYTES}) OVER (ORDER BY scope) AS so_far FROM sized
    )
    SELECT scope, id, tier, description, (
        SELECT id FROM knowledge.scopes p WHERE p.kb = ${kb} AND nlevel(page.path) > 1
        AND p.scope = ltree2text(subpath(page.path, greatest(nlevel(page.path) - 2, 0), 1))::bigint) AS parent,
      CASE WHEN bytes <= ${PAGE_BYTES} THEN json_build_array(
        coalesce((SELECT json_agg(json_build_array(c.name, c.description))
          FROM knowledge.categories c WHERE c.kb = ${kb} AND c.scope = page.scope), '[]'),
        coalesce((SELECT json_agg(json_build_array(c.name, e.keyword, e.content))
          FROM knowledge.entries e JOIN knowledge.categories c
            ON c.kb = e.kb AND c.scope = e.scope AND c.category = e.category
          WHERE e.kb = ${kb} AND e.scope = page.scope), '[]'))::text END AS content
    FROM page WHERE coalesce(so_far, 0) <= ${PAGE_BYTES} ORDER BY scope`;
  const last = rows.at(-1);
  const scopes = rows.flatMap(({ id, tier, parent, description, content }) => {
    if (content === null) return [];
    const scope = {
      id,
      tier: TIERS[tier] as Tier,
      ...(parent === null ? {} : { parent }),
      ...(description === null ? {} : { description }),
    };
    return [{ ...scope, content: Buffer.from(content) }];
  });
  return { scopes, ...(last === undefined ? {} : { next: last.scope + 1 }) };
}

async function readChain(
  sql: Sql,
  kb: number,
  { id, isKnown }: ChainAsked,
): Promise<readonly ScopeContent[]> {
  const rows = await sql<ScopeRow[]>`
    SELECT a.scope, a.id, a.tier, a.path::text AS path, a.description
    FROM knowledge.scopes s JOIN knowledge.scopes a ON a.kb = s.kb AND a.path @> s.path
    WHERE s.kb = ${kb} AND s.id = ${id} ORDER BY nlevel(a.path) DESC`;
  if (rows.length === 0) return [];
  const unknown = rows.filter((row) => !isKnown?.(row.id)).map((row) => row.scope);
  const only = sql`AND scope = ANY(${unknown}::bigint[])`;
  return readContents(sql, kb, { rows, only });
}

async function readContents(
  sql: Sql,
  kb: number,
  { rows, only }: { readonly rows: readonly ScopeRow[]; readonly only: Fragment },
): Promise<readonly ScopeContent[]> {
  const [categories, entries] = await Promise.all([
    sql<(Category & { scope: number; category: number })[]>`
      SELECT scope, category, name, description FROM knowledge.categories
      WHERE kb = ${kb} ${only} ORDER BY category`,
    sql<{ scope: number; category: number; keyword: string; content: string }[]>`
      SELECT scope, category, keyword, content FROM knowledge.entries
      WHERE kb = ${kb} ${only} ORDER BY category, entry`,
  ]);
  const names = new Map(categories.map((row) => [row.category, row.name]));
  const categoriesOf = Map.groupBy(categories, (row) => row.scope);
  const entriesOf = Map.groupBy(entries, (row) => row.scope);
  const toScope = openScopeTranslation(rows);
  return rows.map((row) => ({
    ...toScope(row),
    categories: (categoriesOf.get(row.scope) ?? []).map(({ name, description }) => ({
      name,
      description,
    })),
    entries: (entriesOf.get(row.scope) ?? []).flatMap(({ category, keyword, content }): Entry[] => {
      const name = names.get(category);
      return name === undefined ? [] : [{ category: name, keyword, content }];
    }),
  }));
}

function openScopeTranslation(rows: readonly ScopeRow[]) {
  const ids = new Map(rows.map((row) => [row.path, row.id]));
  return ({ id, tier, path, description }: ScopeRow) => {
    const parent = ids.get(parentPath(path));
    return {
      id,
      tier: TIERS[tier] as Tier,
      ...(parent === undefined ? {} : { parent }),
      ...(description === null ? {} : { description }),
    };
  };
}

function parentPath(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("."), 0));
}

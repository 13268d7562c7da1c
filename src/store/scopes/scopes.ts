// The hierarchy of rules: how it is read.
import { defined } from "../../domain/defined.ts";
import { type Entry, type Scope, type ScopeContent, TIERS, type Tier } from "../../domain/scope.ts";
import { type Connection, type Engine, NOTHING, oneOf, type Sql, sql } from "../sql.ts";
import { applyChanges } from "./write-scopes.ts";

export type ScopeChange =
  | { readonly kind: "put-scope"; readonly scope: Scope }
  | { readonly kind: "remove-scope"; readonly id: string }
  | {
      readonly kind: "put-category";
      readonly scope: string;
      readonly name: string;
      readonly description: string;
    }
  | { readonly kind: "remove-category"; readonly scope: string; readonly name: string }
  | ({ readonly kind: "put-entry"; readonly scope: string } & Entry)
  | {
      readonly kind: "remove-entry";
      readonly scope: string;
      readonly category: string;
      readonly keyword: string;
      /** Also removes the category if this was its last entry and it has no description. */
      readonly withBareCategory?: true;
    };

export interface ScopeSummary extends Scope {
  readonly categoryCount: number;
  readonly entryCount: number;
}

export interface ScopeStore {
  /**
   * Grows with every change to scopes, including those of other processes (on another machine, within milliseconds).
   * Takes microseconds, so it can be checked on every read.
   */
  version(): number | Promise<number>;
  list(): Promise<readonly ScopeSummary[]>;
  /** The scope and its ancestors, most specific first; empty if there is no such scope. */
  chain(id: string): readonly ScopeContent[] | Promise<readonly ScopeContent[]>;
  /** Every scope with its own content, parents before children: for export. */
  all(): Promise<readonly ScopeContent[]>;
  /** Applies all changes, or none if one is refused (KnowledgeError). */
  apply(changes: readonly ScopeChange[]): Promise<void>;
}

export interface ScopeRepository extends Omit<ScopeStore, "apply"> {
  version(): Promise<number>;
  chain(id: string): Promise<readonly ScopeContent[]>;
  /** Returns the new version, or undefined if nothing changed. */
  apply(changes: readonly ScopeChange[]): Promise<number | undefined>;
}

interface ScopeRow {
  readonly scope: number;
  readonly id: string;
  readonly tier: number;
  readonly parent: number | null;
  readonly description: string | null;
}

const COLUMNS = sql`s.scope, s.id, s.tier, s.parent, s.description`;

export function openScopes({ read, write }: Engine): ScopeRepository {
  return {
    version: () => read(readVersion),
    list: () => read(list),
    chain: (id) => read((db) => readChain(db, id)),
    all: () => read(async (db) => readContents(db, inOrder(await db.all(ALL(db.kb))), NOTHING)),
    apply: (changes) => write((db) => applyChanges(db, changes)),
  };
}

async function readVersion(db: Connection): Promise<number> {
  const row = await db.one<{ version: number }>(
    sql`SELECT scopes_version AS version FROM bases WHERE kb = ${db.kb}`,
  );
  return row?.version ?? 0;
}

const ALL = (kb: number) => sql`SELECT ${COLUMNS} FROM scopes s WHERE kb = ${kb}`;

/** Parents before children, siblings by id. */
function inOrder(rows: readonly ScopeRow[]): readonly ScopeRow[] {
  const byNumber = new Map(rows.map((row) => [row.scope, row]));
  const paths = new Map<number, string>();
  const pathOf = ({ scope, id, parent }: ScopeRow): string => {
    const known = paths.get(scope);
    if (known !== undefined) return known;
    const above = parent === null ? undefined : byNumber.get(parent);
    const path = `${above ? pathOf(above) : ""}/${encodeURIComponent(id)}`;
    paths.set(scope, path);
    return path;
  };
  return rows.toSorted((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
}

interface CountRow {
  readonly scope: number;
  readonly categories: number;
  readonly entries: number;
}

async function list(db: Connection): Promise<readonly ScopeSummary[]> {
  const [scopes = [], counts = []] = await db.together([
    ALL(db.kb),
    sql`SELECT c.scope, count(*) AS categories, CAST(coalesce(sum(e.entries), 0) AS bigint) AS entries
      FROM categories c LEFT JOIN (SELECT category, count(*) AS entries FROM entries
        WHERE kb = ${db.kb} GROUP BY category) e ON e.category = c.category
      WHERE c.kb = ${db.kb} GROUP BY c.scope`,
  ]);
  const rows = inOrder(scopes as readonly ScopeRow[]);
  const countOf = new Map((counts as readonly CountRow[]).map((row) => [row.scope, row]));
  const toScope = openTranslation(rows);
  return rows.map((row) => ({
    ...toScope(row),
    categoryCount: countOf.get(row.scope)?.categories ?? 0,
    entryCount: countOf.get(row.scope)?.entries ?? 0,
  }));
}

/** The scope and its ancestors, nearest first. */
async function readChain(db: Connection, id: string): Promise<readonly ScopeContent[]> {
  const rows = await db.all<ScopeRow>(sql`
    WITH RECURSIVE chain (scope, parent, depth) AS (
      SELECT scope, parent, 0 FROM scopes WHERE kb = ${db.kb} AND id = ${id}
      UNION ALL SELECT p.scope, p.parent, depth + 1 FROM chain
        JOIN scopes p ON p.kb = ${db.kb} AND p.scope = chain.parent
    )
    SELECT ${COLUMNS} FROM chain JOIN scopes s ON s.kb = ${db.kb} AND s.scope = chain.scope
    ORDER BY depth`);
  const numbers = rows.map((row) => row.scope);
  return readContents(db, rows, sql`AND c.scope ${oneOf("bigint", numbers)}`);
}

interface CategoryRow {
  readonly scope: number;
  readonly name: string;
  readonly description: string;
}

interface EntryRow {
  readonly scope: number;
  readonly category: string;
  readonly keyword: string;
  readonly content: string;
}

async function readContents(db: Connection, rows: readonly ScopeRow[], only: Sql) {
  if (rows.length === 0) return [];
  const [categories = [], entries = []] = await db.together([
    sql`SELECT c.scope, c.name, c.description FROM categories c
      WHERE c.kb = ${db.kb} ${only} ORDER BY c.category`,
    sql`SELECT c.scope, c.name AS category, e.keyword, e.content FROM categories c
      JOIN entries e ON e.kb = c.kb AND e.category = c.category
      WHERE c.kb = ${db.kb} ${only} ORDER BY c.category, e.entry`,
  ]);
  const categoriesOf = Map.groupBy(categories as readonly CategoryRow[], (row) => row.scope);
  const entriesOf = Map.groupBy(entries as readonly EntryRow[], (row) => row.scope);
  const toScope = openTranslation(rows);
  return rows.map((row) => ({
    ...toScope(row),
    categories: (categoriesOf.get(row.scope) ?? []).map(({ name, description }) => ({
      name,
      description,
    })),
    entries: (entriesOf.get(row.scope) ?? []).map(({ category, keyword, content }) => ({
      category,
      keyword,
      content,
    })),
  }));
}

/** `rows` include the parents. */
function openTranslation(rows: readonly ScopeRow[]): (row: ScopeRow) => Scope {
  const ids = new Map(rows.map((row) => [row.scope, row.id]));
  return ({ id, tier, parent, description }) => {
    const above = parent === null ? undefined : ids.get(parent);
    return {
      id,
      tier: TIERS[tier] as Tier,
      ...defined({ parent: above, description: description ?? undefined }),
    };
  };
}

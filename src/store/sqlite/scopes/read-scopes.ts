import { type Scope, type ScopeContent, TIERS, type Tier } from "../../../domain/scope.ts";
import type { ScopeSummary } from "../../store.ts";
import type { Database } from "../database.ts";

interface ScopeRow {
  readonly scope: number;
  readonly id: string;
  readonly tier: number;
  readonly parent_id: string | null;
  readonly description: string | null;
}

const SCOPE = `SELECT s.scope, s.id, s.tier, p.id AS parent_id, s.description
  FROM scopes s LEFT JOIN scopes p ON p.scope = s.parent`;

type Reading = Pick<Database, "get" | "all" | "read">;
type IsKnown = (id: string) => boolean;

export function openScopeReader(database: Reading) {
  return {
    scopes: (): readonly ScopeSummary[] => database.read(() => readSummaries(database)),
    chain: (id: string, isKnown: IsKnown = () => false): readonly ScopeContent[] =>
      database.read(() => readChain(database, id, isKnown)),
    mostGeneral: (limit: number): readonly string[] =>
      database
        .all<{ id: string }>("SELECT id FROM scopes ORDER BY tier, scope DESC LIMIT ?", limit)
        .map(({ id }) => id),
    // A path begins with its parent's, so this order has parents before children.
    allScopes: (): readonly ScopeContent[] =>
      database.read(() => {
        const rows = database.all<ScopeRow>(`${SCOPE} ORDER BY s.path`);
        return rows.map((row) => readContent(database, row));
      }),
  };
}

function readSummaries(database: Reading): readonly ScopeSummary[] {
  const rows = database.all<ScopeRow & { categories: number; entries: number }>(
    `SELECT s.scope, s.id, s.tier, p.id AS parent_id, s.description,
       (SELECT count(*) FROM categories c WHERE c.scope = s.scope) AS categories,
       (SELECT count(*) FROM categories c JOIN entries e ON e.category = c.category
        WHERE c.scope = s.scope) AS entries
     FROM scopes s LEFT JOIN scopes p ON p.scope = s.parent ORDER BY s.path`,
  );
  return rows.map((row) => ({
    ...toScope(row),
    categoryCount: row.categories,
    entryCount: row.entries,
  }));
}

/** The scope and those above it, nearest first; those that the caller knows without their content. */
function readChain(database: Reading, id: string, isKnown: IsKnown): readonly ScopeContent[] {
  const one = (wanted: string | null) =>
    wanted === null ? undefined : database.get<ScopeRow>(`${SCOPE} WHERE s.id = ?`, wanted);
  const chain: ScopeContent[] = [];
  for (let row = one(id); row; row = one(row.parent_id)) {
    chain.push(isKnown(row.id) ? { ...toScope(row), ...NO_CONTENT } : readContent(database, row));
  }
  return chain;
}

function readContent(database: Reading, row: ScopeRow): ScopeContent {
  return {
    ...toScope(row),
    categories: database.all(
      "SELECT name, description FROM categories WHERE scope = ? ORDER BY category",
      row.scope,
    ),
    entries: database.all(
      `SELECT c.name AS category, e.keyword, e.content FROM categories c
       JOIN entries e ON e.category = c.category WHERE c.scope = ? ORDER BY c.category, e.entry`,
      row.scope,
    ),
  };
}

const NO_CONTENT = { categories: [], entries: [] };

function toScope(row: ScopeRow): Scope {
  return {
    id: row.id,
    tier: TIERS[row.tier] as Tier,
    ...(row.parent_id === null ? {} : { parent: row.parent_id }),
    ...(row.description === null ? {} : { description: row.description }),
  };
}

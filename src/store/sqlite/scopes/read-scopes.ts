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

export function openScopeReader(database: Pick<Database, "get" | "all" | "read">) {
  const one = (id: string) => database.get<ScopeRow>(`${SCOPE} WHERE s.id = ?`, id);
  const content = (row: ScopeRow): ScopeContent => ({
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
  });
  return {
    scopes: (): readonly ScopeSummary[] =>
      database
        .read(() =>
          database.all<ScopeRow & { categories: number; entries: number }>(
            `SELECT s.scope, s.id, s.tier, p.id AS parent_id, s.description,
               (SELECT count(*) FROM categories c WHERE c.scope = s.scope) AS categories,
               (SELECT count(*) FROM categories c JOIN entries e ON e.category = c.category
                WHERE c.scope = s.scope) AS entries
             FROM scopes s LEFT JOIN scopes p ON p.scope = s.parent ORDER BY s.path`,
          ),
        )
        .map((row) => ({
          ...toScope(row),
          categoryCount: row.categories,
          entryCount: row.entries,
        })),
    chain: (id: string): readonly ScopeContent[] =>
      database.read(() => {
        const chain: ScopeContent[] = [];
        for (
          let row = one(id);
          row;
          row = row.parent_id === null ? undefined : one(row.parent_id)
        ) {
          chain.push(content(row));
        }
        return chain;
      }),
    someScope: (): string | undefined =>
      database.get<{ id: string }>("SELECT id FROM scopes ORDER BY scope DESC LIMIT 1")?.id,
    // A path begins with its parent's, so this order has parents before children.
    allScopes: (): readonly ScopeContent[] =>
      database.read(() => database.all<ScopeRow>(`${SCOPE} ORDER BY s.path`).map(content)),
  };
}

function toScope(row: ScopeRow): Scope {
  return {
    id: row.id,
    tier: TIERS[row.tier] as Tier,
    ...(row.parent_id === null ? {} : { parent: row.parent_id }),
    ...(row.description === null ? {} : { description: row.description }),
  };
}

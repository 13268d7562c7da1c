import { type Scope, type ScopeContent, TIERS, type Tier } from "../../../domain/scope.ts";
import { PAGE_BYTES } from "../../ports/packed-scope.ts";
import type { PackedPage, PackedScope, ScopeSummary } from "../../store.ts";
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

// Uses only the key, so it is one lookup however many scopes there are.
const NEWEST = "SELECT id FROM scopes ORDER BY scope DESC LIMIT 1";
const MOST_GENERAL = "SELECT id FROM scopes ORDER BY tier, scope DESC LIMIT ?";

type Reading = Pick<Database, "get" | "all" | "rows" | "read">;
type IsKnown = (id: string) => boolean;

export function openScopeReader(database: Reading) {
  return {
    scopes: (): readonly ScopeSummary[] => database.read(() => readSummaries(database)),
    chain: (id: string, isKnown: IsKnown = () => false): readonly ScopeContent[] =>
      database.read(() => readChain(database, id, isKnown)),
    examples: (limit: number): readonly string[] => {
      const newest = database.all<{ id: string }>(NEWEST);
      const general = limit > 1 ? database.all<{ id: string }>(MOST_GENERAL, limit - 1) : [];
      return [...new Set([...newest, ...general].map(({ id }) => id))];
    },
    packed: (from: number): PackedPage => database.read(() => readPacked(database, from)),
    // A path starts with its parent's path, so parents sort before children.
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

/** The scope and its ancestors, nearest first; without content for those the caller already has. */
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
    entries: readEntries(database, row.scope),
  };
}

const ENTRIES = `SELECT c.name AS category, e.keyword, e.content FROM categories c
  JOIN entries e ON e.category = c.category WHERE c.scope = ? ORDER BY c.category, e.entry`;

/** Reading rows as arrays takes two thirds of the time, and clients wait for the entries of several scopes. */
function readEntries(database: Reading, scope: number): ScopeContent["entries"] {
  const rows = database.rows(ENTRIES).all(scope) as unknown as [string, string, string][];
  return rows.map(([category, keyword, content]) => ({ category, keyword, content }));
}

// Sizes are read first: they are in the rows' headers, while packing reads whole rows.
const SIZES = `SELECT s.scope, (SELECT sum(octet_length(e.keyword) + octet_length(e.content))
    FROM categories c JOIN entries e ON e.category = c.category WHERE c.scope = s.scope) AS bytes
  FROM scopes s WHERE s.scope >= ? ORDER BY s.scope`;
const PACKED = `SELECT s.id, s.tier, p.id AS parent_id, s.description, CAST('[' ||
    (SELECT json_group_array(json_array(c.name, c.description))
      FROM categories c WHERE c.scope = s.scope) || ',' ||
    (SELECT json_group_array(json_array(c.name, e.keyword, e.content))
      FROM categories c JOIN entries e ON e.category = c.category WHERE c.scope = s.scope) ||
    ']' AS BLOB) AS content
  FROM scopes s LEFT JOIN scopes p ON p.scope = s.parent WHERE s.scope = ?`;

// A request that arrives meanwhile waits this long, plus up to 3 ms for the last scope of the page.
const PAGE_MS = 1;

function readPacked(database: Reading, from: number): PackedPage {
  const started = performance.now();
  const scopes: PackedScope[] = [];
  const sizes = database.rows(SIZES).iterate(from) as unknown as Iterable<[number, number | null]>;
  for (const [scope, bytes] of sizes) {
    if (performance.now() - started > PAGE_MS) return { scopes, next: scope };
    if (bytes !== null && bytes > PAGE_BYTES) continue;
    const row = database.get<ScopeRow & { content: Uint8Array }>(PACKED, scope);
    if (row) scopes.push({ ...toScope(row), content: row.content });
  }
  return { scopes };
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

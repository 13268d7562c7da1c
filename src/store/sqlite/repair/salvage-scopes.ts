// Salvages the rules of a damaged database one by one, so that one unreadable page does not cost the whole hierarchy.
import type { DatabaseSync } from "node:sqlite";
import { type ScopeContent, TIERS, type Tier } from "../../../domain/scope.ts";
import type { Loss } from "../../store.ts";
import { isOverwritten, type Scanned, scanIndex, scanTable } from "../check/scan.ts";
import type { SalvagedList } from "./salvage.ts";

interface ScopeRow {
  /** The chain of ids from the root: it names the scope and its parent. */
  readonly path: string;
  /** Undefined if only the index was readable. */
  readonly tier?: number;
  readonly description?: string | null;
}

interface CategoryRow {
  readonly scope: number;
  readonly name: string;
  readonly description?: string;
}

interface EntryRow {
  readonly category: number;
  readonly keyword: string;
  readonly content?: string;
}

export function salvageScopes(
  database: DatabaseSync,
): Omit<SalvagedList<ScopeContent>, "unreadable"> {
  const scopes = read<ScopeRow>(database, {
    table: "scopes",
    key: "scope",
    known: ["path"],
    index: "sqlite_autoindex_scopes_2",
    others: ["tier", "description"],
  });
  const categories = read<CategoryRow>(database, {
    table: "categories",
    key: "category",
    known: ["scope", "name"],
    index: "sqlite_autoindex_categories_1",
    others: ["description"],
  });
  const entries = read<EntryRow>(database, {
    table: "entries",
    key: "entry",
    known: ["category", "keyword"],
    index: "sqlite_autoindex_entries_1",
    others: ["content"],
  });
  const losses = findOrphanedEntries({ scopes, categories, entries });
  const found = assemble({ scopes, categories, entries }, losses);
  return { found, losses, isWhole: [scopes, categories, entries].every((each) => each.isWhole) };
}

interface Parts {
  readonly table: string;
  readonly key: string;
  /** The columns of a unique index, which also covers rows that are unreadable themselves. */
  readonly known: readonly string[];
  readonly index: string;
  readonly others: readonly string[];
}

function read<Row>(database: DatabaseSync, parts: Parts): Scanned<Row> {
  const { table, key, known, index, others } = parts;
  const columns = [...known, ...others].join(", ");
  const scanned = scanTable<Row>(database, { table, key, columns });
  if (scanned.isWhole) return scanned;
  const indexed = scanIndex<Row>(database, { table, key, columns: known, index });
  return { rows: new Map([...indexed.rows, ...scanned.rows]), isWhole: indexed.isWhole };
}

interface Rows {
  readonly scopes: Scanned<ScopeRow>;
  readonly categories: Scanned<CategoryRow>;
  readonly entries: Scanned<EntryRow>;
}

/** Readable entries that belong to an unknown scope or category. */
function findOrphanedEntries({ scopes, categories, entries }: Rows): Loss[] {
  const inScope = [...categories.rows].filter(([, { scope }]) => scopes.rows.has(scope));
  const homes = new Set(inScope.map(([key]) => key));
  const lost = [...categories.rows.values()].filter(({ scope }) => !scopes.rows.has(scope));
  const rules = [...entries.rows.values()].filter(({ category }) => !homes.has(category));
  return [
    ...lost.map(({ name }): Loss => ({ kind: "category", name, what: "its scope" })),
    ...rules.map(({ category, keyword }): Loss => {
      const name = [categories.rows.get(category)?.name ?? "?", keyword].join(" › ");
      return { kind: "rule", name, what: "its scope or category" };
    }),
  ];
}

/** Parents first, because a parent's path is a prefix of its children's. */
function assemble({ scopes, categories, entries }: Rows, losses: Loss[]): ScopeContent[] {
  const ofScope = Map.groupBy(categories.rows, ([, row]) => row.scope);
  const ofCategory = Map.groupBy(entries.rows.values(), (row) => row.category);
  const tiers = new Map<string, number>();
  return [...scopes.rows]
    .sort(([, a], [, b]) => (a.path < b.path ? -1 : 1))
    .map(([number, row]) => {
      const own = ofScope.get(number) ?? [];
      const scope = toScope(row, tiers, losses);
      return {
        ...scope,
        categories: own.map(([, category]) => toCategory(category, scope.id, losses)),
        entries: own.flatMap(([key, category]) =>
          (ofCategory.get(key) ?? []).flatMap((entry) =>
            toEntry(entry, { scope: scope.id, category: category.name }, losses),
          ),
        ),
      };
    });
}

function toScope(
  { path, tier, description }: ScopeRow,
  tiers: Map<string, number>,
  losses: Loss[],
) {
  const ids = path.split("/").slice(1).map(toId);
  const id = ids.at(-1) ?? "";
  const parent = ids.at(-2);
  const above = parent === undefined ? -1 : (tiers.get(parent) ?? -1);
  const own = tier ?? Math.min(above + 1, TIERS.length - 1);
  tiers.set(id, own);
  if (tier === undefined) {
    const what = `its description and its tier, which is ${TIERS[own]} now`;
    losses.push({ kind: "scope", name: id, what, isUncertain: true });
  }
  return {
    id,
    tier: TIERS[own] as Tier,
    ...(parent === undefined ? {} : { parent }),
    ...(typeof description === "string" ? { description } : {}),
  };
}

function toId(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function toCategory({ name, description }: CategoryRow, scope: string, losses: Loss[]) {
  if (description === undefined || isOverwritten(description))
    losses.push({
      kind: "category",
      name: `${scope} › ${name}`,
      what: "its description",
      isUncertain: true,
    });
  return { name, description: description ?? "" };
}

function toEntry(
  { keyword, content }: EntryRow,
  { scope, category }: { readonly scope: string; readonly category: string },
  losses: Loss[],
) {
  const name = `${scope} › ${category} › ${keyword}`;
  if (content === undefined) {
    losses.push({ kind: "rule", name, what: "its content" });
    return [];
  }
  if (isOverwritten(content)) losses.push({ kind: "rule", name, what: "part of its content" });
  return [{ category, keyword, content }];
}

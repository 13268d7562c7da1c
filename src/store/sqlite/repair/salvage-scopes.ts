// Salvages the readable rules of a damaged database, so that one unreadable page does not cost the whole hierarchy.
import type { DatabaseSync } from "node:sqlite";
import { type ScopeContent, TIERS, type Tier } from "../../../domain/scope.ts";
import type { Loss } from "../../store.ts";
import { isOverwritten, type Scanned, scanTable } from "../check/scan.ts";
import type { SalvagedList } from "./salvage.ts";

interface ScopeRow {
  readonly id: string;
  readonly tier: number;
  readonly parent: number | null;
  readonly description: string | null;
}

interface CategoryRow {
  readonly scope: number;
  readonly name: string;
  readonly description: string;
}

interface EntryRow {
  readonly category: number;
  readonly keyword: string;
  readonly content: string;
}

interface Rows {
  readonly scopes: Scanned<ScopeRow>;
  readonly categories: Scanned<CategoryRow>;
  readonly entries: Scanned<EntryRow>;
}

/** Parents come first, because their tier is more general. */
export function salvageScopes(
  database: DatabaseSync,
): Omit<SalvagedList<ScopeContent>, "unreadable"> {
  const rows: Rows = {
    scopes: scanTable(database, {
      table: "scopes",
      key: "scope",
      columns: "id, tier, parent, description",
    }),
    categories: scanTable(database, {
      table: "categories",
      key: "category",
      columns: "scope, name, description",
    }),
    entries: scanTable(database, {
      table: "entries",
      key: "entry",
      columns: "category, keyword, content",
    }),
  };
  const losses = findOrphans(rows);
  const ordered = [...rows.scopes.rows].sort(([, a], [, b]) => a.tier - b.tier);
  const found = ordered.map(([number, row]) => toContent(rows, { number, row, losses }));
  return { found, losses, isWhole: Object.values(rows).every(({ isWhole }) => isWhole) };
}

/** Readable rows whose scope or category is unreadable. */
function findOrphans({ scopes, categories, entries }: Rows): Loss[] {
  const isHome = (category: number) =>
    scopes.rows.has(categories.rows.get(category)?.scope ?? Number.NaN);
  const lost = [...categories.rows.values()].filter(({ scope }) => !scopes.rows.has(scope));
  const rules = [...entries.rows.values()].filter(({ category }) => !isHome(category));
  return [
    ...lost.map(
      ({ name }): Loss => ({ kind: "category", name: "unknown", what: `the scope of ${name}` }),
    ),
    ...rules.map(({ category, keyword }): Loss => {
      const home = categories.rows.get(category)?.name ?? "?";
      return { kind: "rule", name: "unknown", what: `the scope of ${home} › ${keyword}` };
    }),
  ];
}

interface Salvaged {
  readonly number: number;
  readonly row: ScopeRow;
  readonly losses: Loss[];
}

function toContent({ scopes, categories, entries }: Rows, salvaged: Salvaged): ScopeContent {
  const { number, row, losses } = salvaged;
  const { id, tier, parent, description } = row;
  const above = parent === null ? undefined : scopes.rows.get(parent)?.id;
  if (parent !== null && above === undefined) {
    losses.push({ kind: "scope", name: id, what: "its place: its parent is lost" });
  }
  const own = [...categories.rows].filter(([, { scope }]) => scope === number);
  const names = new Map(own.map(([key, { name }]) => [key, name]));
  for (const { name, description: text } of own.map(([, category]) => category)) {
    if (!isOverwritten(text)) continue;
    const what = "its description";
    losses.push({ kind: "category", name: `${id} › ${name}`, what, isUncertain: true });
  }
  const rules = [...entries.rows.values()].flatMap(({ category, keyword, content }) => {
    const name = names.get(category);
    if (name === undefined) return [];
    if (isOverwritten(content)) {
      losses.push({
        kind: "rule",
        name: `${id} › ${name} › ${keyword}`,
        what: "part of its content",
        // Bytes that look overwritten may be real user data.
        isUncertain: true,
      });
    }
    return [{ category: name, keyword, content }];
  });
  return {
    id,
    tier: TIERS[tier] as Tier,
    ...(above === undefined ? {} : { parent: above }),
    ...(description === null ? {} : { description }),
    categories: own.map(([, { name, description: text }]) => ({ name, description: text })),
    entries: rules,
  };
}

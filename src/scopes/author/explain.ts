// Explains each keyword: which scope won, and which ones it overrides.
import type { Scope, ScopeContent, Tier } from "../../domain/scope.ts";
import { toLayer } from "../resolve/layer.ts";
import { resolve } from "../resolve/resolve.ts";

interface Statement {
  readonly scope: string;
  readonly tier: Tier;
  readonly content: string;
}

interface ExplainedEntry {
  readonly category: string;
  readonly keyword: string;
  readonly winner: Statement;
  /** The nearest scope comes first. */
  readonly overridden: readonly Statement[];
}

export interface Explanation {
  readonly scope: Scope;
  readonly chain: readonly Scope[];
  readonly categories: readonly {
    readonly name: string;
    readonly tier: Tier;
    readonly description: string;
  }[];
  readonly entries: readonly ExplainedEntry[];
}

/** `chain` comes from the store: the scope itself, then its ancestors. */
export function explain(chain: readonly ScopeContent[]): Explanation {
  const [first, ...rest] = chain.map(toLayer);
  if (first === undefined) throw new RangeError("an empty chain explains nothing");
  const layers = [first, ...rest] as const;
  const { scope, chain: scopes, categories, keywords } = resolve(layers);
  const rows = categories();
  const entries = rows.flatMap(({ name }) =>
    (keywords([name]).keywords[name] ?? []).flatMap((keyword) => {
      const stated = layers.flatMap((layer): Statement[] => {
        const content = layer.categories.get(name)?.contents.get(keyword);
        if (content === undefined) return [];
        return [{ scope: layer.scope.id, tier: layer.scope.tier, content }];
      });
      const [winner, ...overridden] = stated;
      return winner === undefined ? [] : [{ category: name, keyword, winner, overridden }];
    }),
  );
  return { scope, chain: scopes, categories: rows, entries };
}

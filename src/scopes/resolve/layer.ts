// What one scope states itself, indexed. Layers are shared by all scopes that inherit from them.
import type { Scope, ScopeContent } from "../../domain/scope.ts";
import { byName } from "../../text/by-name.ts";

interface LayerCategory {
  readonly description: string;
  readonly contents: ReadonlyMap<string, string>;
}

export interface Layer {
  readonly scope: Scope;
  readonly categories: ReadonlyMap<string, LayerCategory>;
  /** The categories that have a keyword, by name. */
  readonly categoriesOf: ReadonlyMap<string, readonly string[]>;
  /** About how much memory it holds, for the cache. */
  readonly weightBytes: number;
}

// A map slot, an array and the string's header, as measured on 100,000 entries.
const ENTRY_OVERHEAD_BYTES = 200;

export function toLayer(content: ScopeContent): Layer {
  const categories = new Map<string, { description: string; contents: Map<string, string> }>();
  for (const { name, description } of content.categories) {
    categories.set(name, { description, contents: new Map() });
  }
  const categoriesOf = new Map<string, string[]>();
  let weightBytes = 500;
  for (const { category, keyword, content: text } of content.entries) {
    let held = categories.get(category);
    if (held === undefined) {
      held = { description: "", contents: new Map() };
      categories.set(category, held);
    }
    held.contents.set(keyword, text);
    const also = categoriesOf.get(keyword);
    if (also === undefined) categoriesOf.set(keyword, [category]);
    else also.push(category);
    weightBytes += text.length + keyword.length + ENTRY_OVERHEAD_BYTES;
  }
  for (const names of categoriesOf.values()) if (names.length > 1) names.sort(byName);
  return { scope: toScope(content), categories, categoriesOf, weightBytes };
}

function toScope({ id, tier, parent, description }: ScopeContent): Scope {
  return {
    id,
    tier,
    ...(parent === undefined ? {} : { parent }),
    ...(description === undefined ? {} : { description }),
  };
}

// The entries that one scope defines itself, indexed. Layers are shared by all scopes that inherit from them.
import { defined } from "../../domain/defined.ts";
import type { Scope, ScopeContent } from "../../domain/scope.ts";

interface LayerCategory {
  readonly description: string;
  readonly contents: ReadonlyMap<string, string>;
}

export interface Layer {
  readonly scope: Scope;
  readonly categories: ReadonlyMap<string, LayerCategory>;
  /** Approximate memory use, for the cache. */
  readonly weightBytes: number;
}

// A map slot and the headers of two strings, measured with 100,000 entries.
const ENTRY_OVERHEAD_BYTES = 120;

export function toLayer(content: ScopeContent): Layer {
  const categories = new Map<string, { description: string; contents: Map<string, string> }>();
  for (const { name, description } of content.categories) {
    categories.set(name, { description, contents: new Map() });
  }
  let weightBytes = 500;
  for (const { category, keyword, content: text } of content.entries) {
    let held = categories.get(category);
    if (held === undefined) {
      held = { description: "", contents: new Map() };
      categories.set(category, held);
    }
    held.contents.set(keyword, text);
    weightBytes += text.length + keyword.length + ENTRY_OVERHEAD_BYTES;
  }
  return { scope: toScope(content), categories, weightBytes };
}

function toScope({ id, tier, parent, description }: ScopeContent): Scope {
  return { id, tier, ...defined({ parent, description }) };
}

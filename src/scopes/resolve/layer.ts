// The entries that one scope defines itself, indexed.
import { defined } from "../../domain/defined.ts";
import type { Scope, ScopeContent } from "../../domain/scope.ts";

interface LayerCategory {
  readonly description: string;
  readonly contents: ReadonlyMap<string, string>;
}

export interface Layer {
  readonly scope: Scope;
  readonly categories: ReadonlyMap<string, LayerCategory>;
}

export function toLayer(content: ScopeContent): Layer {
  const categories = new Map<string, { description: string; contents: Map<string, string> }>();
  for (const { name, description } of content.categories) {
    categories.set(name, { description, contents: new Map() });
  }
  for (const { category, keyword, content: text } of content.entries) {
    let held = categories.get(category);
    if (held === undefined) {
      held = { description: "", contents: new Map() };
      categories.set(category, held);
    }
    held.contents.set(keyword, text);
  }
  return { scope: toScope(content), categories };
}

function toScope({ id, tier, parent, description }: ScopeContent): Scope {
  return { id, tier, ...defined({ parent, description }) };
}

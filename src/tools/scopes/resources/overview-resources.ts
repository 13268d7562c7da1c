// The hierarchy as data, for people's views of it: every scope, and who won in one.
import type { ScopeSummary } from "../../../store/store.ts";
import { JSON_TYPE, type Resource, type ResourceTemplate, toJsonText } from "../../family.ts";
import type { ExplainedView, ScopeRow, ScopesView } from "../contract.ts";
import type { OpenScopes } from "../payload.ts";

export function scopesResource(open: OpenScopes): Resource {
  const uri = "knowledge://scopes";
  return {
    uri,
    name: "scopes",
    title: "Scopes",
    description: "Every scope with its tier, parent and number of rules, as JSON.",
    mimeType: JSON_TYPE,
    async read() {
      const view: ScopesView = { scopes: (await (await open()).list()).map(toRow) };
      return [toJsonText(uri, view)];
    },
  };
}

export function explainedTemplate(open: OpenScopes): ResourceTemplate {
  return {
    uriTemplate: "knowledge://explained-scopes/{id}",
    name: "scope-explained",
    title: "Rules of a scope, explained",
    description:
      "The rules of a scope, each with the scope it comes from and those it overrides, as JSON.",
    mimeType: JSON_TYPE,
    async read(uri, { id = "" }) {
      const { scope, chain, categories, entries } = await (await open()).explain(id);
      const rows = entries.map(({ category, keyword, winner, overridden }) => ({
        category,
        keyword,
        content: winner.content,
        source_scope: winner.scope,
        source_tier: winner.tier,
        overridden,
      }));
      const view: ExplainedView = { scope, chain, categories, entries: rows };
      return [toJsonText(uri, view)];
    },
    complete: { id: async (typed) => (await open()).complete(typed) },
  };
}

function toRow(scope: ScopeSummary): ScopeRow {
  return {
    id: scope.id,
    tier: scope.tier,
    parent: scope.parent ?? null,
    ...(scope.description === undefined ? {} : { description: scope.description }),
    category_count: scope.categoryCount,
    entry_count: scope.entryCount,
  };
}

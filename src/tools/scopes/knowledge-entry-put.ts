import { defined } from "../../domain/defined.ts";
import { KNOWLEDGE_ENTRY_PUT } from "./contract.ts";
import { type OpenScopes, respond, scopesTool } from "./tool.ts";

export function knowledgeEntryPut(open: OpenScopes) {
  return scopesTool({
    contract: KNOWLEDGE_ENTRY_PUT,
    title: "Add or change a rule",
    effect: "write",
    idempotent: true,
    replaces: true,
    description:
      "Add a rule to a scope, or replace one. It applies to the scope and to all scopes below it, except those with a rule for the same keyword and category.",
    run: async ({ scope_id, category, keyword, content, category_description }, context) => {
      const written = await (await open(context)).putEntry({
        scope: scope_id,
        category,
        keyword,
        content,
        ...defined({ categoryDescription: category_description }),
      });
      const { overrides } = written;
      return respond({
        success: true,
        scope_id: written.scope,
        category: written.category,
        keyword: written.keyword,
        outcome: written.outcome,
        overrides:
          overrides === undefined
            ? null
            : { source_scope: overrides.scope.id, source_tier: overrides.scope.tier },
        message: `Entry ${written.outcome}`,
      });
    },
  });
}

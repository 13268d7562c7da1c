import { KNOWLEDGE_ENTRY_REMOVE } from "./contract.ts";
import { type OpenScopes, respond, scopesTool, toEntry } from "./tool.ts";

export function knowledgeEntryRemove(open: OpenScopes) {
  return scopesTool({
    contract: KNOWLEDGE_ENTRY_REMOVE,
    title: "Remove a rule",
    effect: "destroy",
    description:
      "Remove a rule from the scope that defines it. If a parent has a rule for the same keyword, that one applies again and is returned.",
    run: async ({ scope_id, category, keyword }, context) => {
      const removed = await (await open(context, "admin")).removeEntry({
        scope: scope_id,
        category,
        keyword,
      });
      return respond({
        success: true,
        scope_id: removed.scope,
        category: removed.category,
        keyword: removed.keyword,
        inherited: removed.inherited === undefined ? null : toEntry(removed.inherited),
        message: "Entry removed",
      });
    },
  });
}

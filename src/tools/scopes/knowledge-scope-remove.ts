import { KnowledgeError } from "../../domain/errors.ts";
import { askUser } from "../tool.ts";
import { KNOWLEDGE_SCOPE_REMOVE } from "./contract.ts";
import { type OpenScopes, respond, scopesTool } from "./tool.ts";

export function knowledgeScopeRemove(open: OpenScopes) {
  return scopesTool({
    contract: KNOWLEDGE_SCOPE_REMOVE,
    title: "Remove a scope of rules",
    effect: "destroy",
    description:
      "Remove a scope and all its rules permanently. Needs confirm=true: ask the user first. Fails if other scopes inherit from it.",
    run: async ({ scope_id, confirm }, context) => {
      const scopes = await open(context, "admin");
      const { id, tier: held, categoryCount, entryCount } = await scopes.summary(scope_id);
      const question = `Permanently remove the scope '${id}' with its rules (${entryCount})?`;
      if (!(await askUser(context, question)) && !confirm) {
        throw new KnowledgeError("CONFIRMATION_REQUIRED", "Set confirm=true to remove this scope", {
          details: { scope: { id, tier: held, categories: categoryCount, entries: entryCount } },
        });
      }
      const removed = await scopes.removeScope(scope_id);
      return respond({
        success: true,
        scope_id: removed.id,
        entries_removed: removed.entryCount,
        message: "Scope removed successfully",
      });
    },
  });
}

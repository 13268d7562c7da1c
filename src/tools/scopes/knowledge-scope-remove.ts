import { z } from "zod";
import { KnowledgeError } from "../../domain/errors.ts";
import { defineTool, type Tool } from "../tool.ts";
import { answer, answerShape, type OpenScopes, scopeId, tier, toError } from "./payload.ts";

const input = z.object({
  scope_id: scopeId,
  confirm: z
    .boolean()
    .default(false)
    .describe("Must be true; without it you see what would be removed"),
});

const output = answerShape({
  scope_id: z.string(),
  entries_removed: z.int(),
  scope: z.object({ id: z.string(), tier, categories: z.int(), entries: z.int() }),
});

export function knowledgeScopeRemove(open: OpenScopes): Tool {
  return defineTool({
    name: "knowledge-scope-remove",
    title: "Remove a scope of rules",
    family: "scopes",
    effect: "destroy",
    description:
      "Remove a scope with everything it states, for good. Needs confirm=true: ask the user first. A scope that others inherit from is not removed.",
    input,
    output,
    toError,
    run: async ({ scope_id, confirm }) => {
      const scopes = await open();
      if (!confirm) {
        const { id, tier: held, categoryCount, entryCount } = await scopes.summary(scope_id);
        throw new KnowledgeError("CONFIRMATION_REQUIRED", "Set confirm=true to remove this scope", {
          details: { scope: { id, tier: held, categories: categoryCount, entries: entryCount } },
        });
      }
      const removed = await scopes.removeScope(scope_id);
      return answer({
        success: true,
        scope_id: removed.id,
        entries_removed: removed.entryCount,
        message: "Scope removed successfully",
      });
    },
  });
}

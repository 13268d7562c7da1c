import { defined } from "../../domain/defined.ts";
import { KNOWLEDGE_SCOPE_PUT } from "./contract.ts";
import { type OpenScopes, respond, scopesTool } from "./tool.ts";

export function knowledgeScopePut(open: OpenScopes) {
  return scopesTool({
    contract: KNOWLEDGE_SCOPE_PUT,
    title: "Add or change a scope of rules",
    effect: "write",
    idempotent: true,
    description:
      "Add a scope for rules, or change its tier, parent, description or categories. What you leave out stays as it is.",
    run: async ({ scope_id: id, ...given }, context) => {
      const scope = await (await open(context)).putScope({ id, ...defined(given) });
      return respond({
        success: true,
        scope_id: scope.id,
        tier: scope.tier,
        parent: scope.parent ?? null,
        outcome: scope.outcome,
        message: `Scope ${scope.outcome}`,
      });
    },
  });
}

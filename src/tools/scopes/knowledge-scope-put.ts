import { defineTool, type Tool } from "../tool.ts";
import { KNOWLEDGE_SCOPE_PUT } from "./contract.ts";
import { type OpenScopes, respond, toError } from "./payload.ts";

export function knowledgeScopePut(open: OpenScopes): Tool {
  return defineTool({
    contract: KNOWLEDGE_SCOPE_PUT,
    title: "Add or change a scope of rules",
    family: "scopes",
    effect: "write",
    idempotent: true,
    description:
      "Add a scope (GENERAL, PRODUCT, GROUP or PROJECT) for rules, or change its tier, parent, description or categories. What you leave out stays as it is.",
    toError,
    run: async ({ scope_id, tier: wanted, parent, description: said, categories }) => {
      const scope = await (await open()).putScope({
        id: scope_id,
        ...(wanted === undefined ? {} : { tier: wanted }),
        ...(parent === undefined ? {} : { parent }),
        ...(said === undefined ? {} : { description: said }),
        ...(categories === undefined ? {} : { categories }),
      });
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

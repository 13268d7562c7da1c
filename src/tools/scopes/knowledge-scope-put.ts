import { z } from "zod";
import { LIMITS } from "../../scopes/scopes.ts";
import { defineTool, type Tool } from "../tool.ts";
import { answer, answerShape, type OpenScopes, scopeId, text, tier, toError } from "./payload.ts";

const description = z.string().max(LIMITS.description);

const input = z.object({
  scope_id: scopeId,
  tier: tier.optional().describe("Needed for a new scope"),
  parent: text(LIMITS.id)
    .nullable()
    .optional()
    .describe("Id of a scope of a more general tier to inherit from; null for none"),
  description: description.optional(),
  categories: z
    .array(z.object({ name: text(LIMITS.category), description }))
    .max(200)
    .optional()
    .describe("Categories to add or to describe anew; others stay as they are"),
});

const output = answerShape({
  scope_id: z.string(),
  tier,
  parent: z.string().nullable(),
  outcome: z.enum(["created", "updated", "unchanged"]),
});

export function knowledgeScopePut(open: OpenScopes): Tool {
  return defineTool({
    name: "knowledge-scope-put",
    title: "Add or change a scope of rules",
    family: "scopes",
    effect: "write",
    idempotent: true,
    description:
      "Add a scope (GENERAL, PRODUCT, GROUP or PROJECT) that rules can be put into, or change its tier, parent, description or categories. What is left out stays as it is.",
    input,
    output,
    toError,
    run: async ({ scope_id, tier: wanted, parent, description: said, categories }) => {
      const scope = await (await open()).putScope({
        id: scope_id,
        ...(wanted === undefined ? {} : { tier: wanted }),
        ...(parent === undefined ? {} : { parent }),
        ...(said === undefined ? {} : { description: said }),
        ...(categories === undefined ? {} : { categories }),
      });
      return answer({
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

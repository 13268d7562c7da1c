import { z } from "zod";
import { LIMITS } from "../../scopes/scopes.ts";
import { defineTool, type Tool } from "../tool.ts";
import { answer, answerShape, type OpenScopes, scopeId, text, tier, toError } from "./payload.ts";

const input = z.object({
  scope_id: scopeId,
  category: text(LIMITS.category).describe("Made when the scope does not have it yet; without /"),
  keyword: text(LIMITS.keyword).describe("Short, such as commit or rate-limiting"),
  content: text(LIMITS.content).describe("The rule, in Markdown"),
  category_description: z
    .string()
    .max(LIMITS.description)
    .optional()
    .describe("Lets an agent judge whether the category matters for its task"),
});

const output = answerShape({
  scope_id: z.string(),
  category: z.string(),
  keyword: z.string(),
  outcome: z.enum(["created", "updated", "unchanged"]),
  overrides: z
    .object({ source_scope: z.string(), source_tier: tier })
    .nullable()
    .describe("The inherited entry that this one hides"),
});

export function knowledgeEntryPut(open: OpenScopes): Tool {
  return defineTool({
    name: "knowledge-entry-put",
    title: "Add or change a rule",
    family: "scopes",
    effect: "write",
    idempotent: true,
    description:
      "Add a rule to a scope, or replace it. It holds for the scope and all below it that do not state the same keyword in the same category themselves.",
    input,
    output,
    toError,
    run: async ({ scope_id, category, keyword, content, category_description }) => {
      const written = await (await open()).putEntry({
        scope: scope_id,
        category,
        keyword,
        content,
        ...(category_description === undefined
          ? {}
          : { categoryDescription: category_description }),
      });
      const { overrides } = written;
      return answer({
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

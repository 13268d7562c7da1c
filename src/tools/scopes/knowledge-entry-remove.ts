import { z } from "zod";
import { LIMITS } from "../../scopes/scopes.ts";
import { defineTool, type Tool } from "../tool.ts";
import {
  answer,
  answerShape,
  entryShape,
  type OpenScopes,
  scopeId,
  text,
  toEntry,
  toError,
} from "./payload.ts";

const input = z.object({
  scope_id: scopeId,
  category: text(LIMITS.category),
  keyword: text(LIMITS.keyword),
});

const output = answerShape({
  scope_id: z.string(),
  category: z.string(),
  keyword: z.string(),
  inherited: entryShape.nullable().describe("What holds for the scope in its place"),
});

export function knowledgeEntryRemove(open: OpenScopes): Tool {
  return defineTool({
    name: "knowledge-entry-remove",
    title: "Remove a rule",
    family: "scopes",
    effect: "destroy",
    description:
      "Remove a rule that a scope states itself. The parent's rule of the same keyword, where there is one, holds again and is returned.",
    input,
    output,
    toError,
    run: async ({ scope_id, category, keyword }) => {
      const removed = await (await open()).removeEntry({ scope: scope_id, category, keyword });
      return answer({
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

import { z } from "zod";
import { defineTool, type Tool } from "../tool.ts";
import {
  ambiguityShape,
  answerShape,
  entryShape,
  names,
  type OpenScopes,
  SCHEMA_VERSION,
  scopeId,
  toAmbiguity,
  toEntry,
  toError,
} from "./payload.ts";

const output = answerShape({
  scope: z.string(),
  entries: z.array(entryShape),
  not_found: z.array(z.string()).describe("Keywords that the scope does not have"),
  ambiguous: z
    .array(ambiguityShape)
    .describe("Keywords in several categories: which was given, and how to ask for others"),
});

export function getKnowledge(open: OpenScopes): Tool {
  return defineTool({
    name: "get_knowledge",
    title: "Rules by keyword",
    family: "scopes",
    effect: "read",
    description:
      "Step 3 of 3: the rules for the keywords that you chose. Each comes once, from the most specific scope that states it, with the tier and scope it is from; inheritance is resolved already. Where a keyword is in several categories, the most specific scope's is given (then the first category by name) and the others are named; category/keyword asks for exactly one.",
    input: z.object({
      scope_id: scopeId,
      keywords: names(
        200,
        'Keywords as get_keywords gave them, or category/keyword, e.g. ["commit", "api/auth"]',
      ),
    }),
    output,
    toError,
    run: async ({ scope_id, keywords }) => {
      const resolved = await (await open()).get(scope_id);
      const found = resolved.knowledge(keywords);
      const entries = found.entries.map(toEntry);
      return {
        payload: entries,
        structured: {
          schemaVersion: SCHEMA_VERSION,
          scope: resolved.scope.id,
          entries,
          not_found: found.notFound,
          ambiguous: found.ambiguous.map(toAmbiguity),
        },
      };
    },
  });
}

import { GET_KNOWLEDGE, SCHEMA_VERSION } from "./contract.ts";
import { notFoundNote, type OpenScopes, scopeChoices, scopesTool, toEntry } from "./tool.ts";

export function getKnowledge(open: OpenScopes) {
  return scopesTool({
    contract: GET_KNOWLEDGE,
    title: "Rules by keyword",
    effect: "read",
    hasLongResults: true,
    description:
      "Step 3 of 3: get the rules for the keywords you chose, each from the most specific scope that has it. If a keyword is in several categories, you get the most specific rule and a list of the others.",
    choices: scopeChoices(open),
    run: async ({ scope_id, keywords }, context) => {
      const resolved = await (await open(context)).get(scope_id);
      const found = resolved.knowledge(keywords);
      const entries = found.entries.map((entry) => ({ ...toEntry(entry), keyword: entry.asked }));
      return {
        payload: entries.map(({ keyword, content, source_tier }) => ({
          keyword,
          content,
          source_tier,
        })),
        ...notFoundNote("keywords", resolved.scope.id, found.notFound),
        structured: {
          schemaVersion: SCHEMA_VERSION,
          scope: resolved.scope.id,
          entries,
          not_found: found.notFound,
          ambiguous: found.ambiguous,
        },
      };
    },
  });
}

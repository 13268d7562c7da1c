import { GET_KEYWORDS, SCHEMA_VERSION } from "./contract.ts";
import { notFoundNote, type OpenScopes, scopeChoices, scopesTool } from "./tool.ts";

export function getKeywords(open: OpenScopes) {
  return scopesTool({
    contract: GET_KEYWORDS,
    title: "Keywords of categories",
    effect: "read",
    description:
      "Step 2 of 3: list the keywords of the categories you chose, including inherited ones. Then call get_knowledge for those you need.",
    choices: scopeChoices(open),
    run: async ({ project_name, categories }, context) => {
      const resolved = await (await open(context)).get(project_name);
      const { keywords, notFound } = resolved.keywords(categories);
      return {
        payload: keywords,
        ...notFoundNote("categories", resolved.scope.id, notFound),
        structured: {
          schemaVersion: SCHEMA_VERSION,
          scope: resolved.scope.id,
          keywords,
          not_found: notFound,
        },
      };
    },
  });
}

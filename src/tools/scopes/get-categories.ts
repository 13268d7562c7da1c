import { GET_CATEGORIES, SCHEMA_VERSION } from "./contract.ts";
import { type OpenScopes, scopeChoices, scopesTool } from "./tool.ts";

export function getCategories(open: OpenScopes) {
  return scopesTool({
    contract: GET_CATEGORIES,
    title: "Categories of rules",
    effect: "read",
    description:
      "Step 1 of 3: list the categories of the rules that apply to a project, including inherited ones. Choose those that your task involves, then call get_keywords.",
    choices: scopeChoices(open),
    run: async ({ project_name }, context) => {
      const resolved = await (await open(context)).get(project_name);
      const categories = resolved.categories();
      return {
        payload: categories,
        structured: { schemaVersion: SCHEMA_VERSION, scope: resolved.scope.id, categories },
      };
    },
  });
}

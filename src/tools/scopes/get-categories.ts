import { defineTool, type Tool } from "../tool.ts";
import { GET_CATEGORIES, SCHEMA_VERSION } from "./contract.ts";
import { type OpenScopes, toError } from "./payload.ts";

export function getCategories(open: OpenScopes): Tool {
  return defineTool({
    contract: GET_CATEGORIES,
    title: "Categories of rules",
    family: "scopes",
    effect: "read",
    description:
      "Step 1 of 3 to the rules that hold for a project: the categories of its rules, inherited ones included, each once with the tier of its most specific scope. Choose those that your task touches and go on with get_keywords. An unknown id is answered with ids that there are.",
    toError,
    run: async ({ project_name }) => {
      const resolved = await (await open()).get(project_name);
      const categories = resolved.categories();
      return {
        payload: categories,
        structured: { schemaVersion: SCHEMA_VERSION, scope: resolved.scope.id, categories },
      };
    },
  });
}

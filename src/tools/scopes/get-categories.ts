import { z } from "zod";
import { defineTool, type Tool } from "../tool.ts";
import { answerShape, type OpenScopes, SCHEMA_VERSION, scopeId, tier, toError } from "./payload.ts";

const output = answerShape({
  scope: z.string(),
  categories: z.array(z.object({ name: z.string(), tier, description: z.string() })),
});

export function getCategories(open: OpenScopes): Tool {
  return defineTool({
    name: "get_categories",
    title: "Categories of rules",
    family: "scopes",
    effect: "read",
    description:
      "Step 1 of 3 to the rules that hold for a project: the categories of its rules, inherited ones included, each once with the tier of its most specific scope. Choose those that your task touches and go on with get_keywords. An unknown id is answered with ids that there are.",
    input: z.object({ project_name: scopeId }),
    output,
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

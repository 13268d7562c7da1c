import { z } from "zod";
import { defineTool, type Tool } from "../tool.ts";
import {
  answerShape,
  names,
  type OpenScopes,
  SCHEMA_VERSION,
  scopeId,
  toError,
} from "./payload.ts";

const output = answerShape({
  scope: z.string(),
  keywords: z.record(z.string(), z.array(z.string())),
  not_found: z.array(z.string()).describe("Categories that the scope does not have"),
});

export function getKeywords(open: OpenScopes): Tool {
  return defineTool({
    name: "get_keywords",
    title: "Keywords of categories",
    family: "scopes",
    effect: "read",
    description:
      "Step 2 of 3: the keywords of the categories that you chose, those of all inherited scopes together. Go on with get_knowledge for the ones you need. The same keyword may be in two categories: ask for it as category/keyword.",
    input: z.object({
      project_name: scopeId,
      categories: names(200, 'Names as get_categories gave them, e.g. ["git"]'),
    }),
    output,
    toError,
    run: async ({ project_name, categories }) => {
      const resolved = await (await open()).get(project_name);
      const { keywords, notFound } = resolved.keywords(categories);
      return {
        payload: keywords,
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

// Contracts of the tools that read rules.
import * as z from "zod";
import { RULE_LIMITS as LIMITS } from "../../../domain/scope.ts";
import { entry, failure, scopeId, text, tier, version } from "./scope.ts";

function names(most: number, description: string) {
  return z
    .array(text(LIMITS.category + LIMITS.keyword + 1))
    .max(most, `must have at most ${most} items`)
    .describe(description);
}

const ambiguity = z.object({
  keyword: z.string(),
  chosen: z.string(),
  others: z.array(z.string()),
});

export const GET_CATEGORIES = {
  name: "get_categories",
  input: z.object({ project_name: scopeId }),
  success: z.object({
    ...version,
    scope: z.string(),
    categories: z.array(z.object({ name: z.string(), tier, description: z.string() })),
  }),
  failure,
} as const;

export const GET_KEYWORDS = {
  name: "get_keywords",
  input: z.object({
    project_name: scopeId,
    categories: names(200, 'Names from get_categories, e.g. ["git"]'),
  }),
  success: z.object({
    ...version,
    scope: z.string(),
    keywords: z.record(z.string(), z.array(z.string())),
    not_found: z.array(z.string()).describe("Categories that the scope does not have"),
  }),
  failure,
} as const;

export const GET_KNOWLEDGE = {
  name: "get_knowledge",
  input: z.object({
    scope_id: scopeId,
    keywords: names(
      200,
      'Keywords from get_keywords, or category/keyword, e.g. ["commit", "api/auth"]',
    ),
  }),
  success: z.object({
    ...version,
    scope: z.string(),
    entries: z.array(entry),
    not_found: z.array(z.string()).describe("Keywords that the scope does not have"),
    ambiguous: z
      .array(ambiguity)
      .describe(
        "Keywords in several categories: which one was returned, and how to ask for the others",
      ),
  }),
  failure,
} as const;

// Contracts of the tools that write and remove rules.
import * as z from "zod";
import { RULE_LIMITS as LIMITS } from "../../../domain/scope.ts";
import { done, entry, failure, scopeId, text, tier } from "./scope.ts";

const outcome = z.enum(["created", "updated", "unchanged"]);
const description = z.string().max(LIMITS.description);

export const KNOWLEDGE_SCOPE_PUT = {
  name: "knowledge-scope-put",
  input: z.object({
    scope_id: scopeId,
    tier: tier.optional().describe("Needed for a new scope"),
    parent: text(LIMITS.id)
      .nullable()
      .optional()
      .describe("Id of a scope of a more general tier to inherit from; null for none"),
    description: description.optional(),
    categories: z
      .array(z.object({ name: text(LIMITS.category), description }))
      .max(200)
      .optional()
      .describe("Categories to add or whose description to change; others stay as they are"),
  }),
  success: z.object({
    ...done,
    scope_id: z.string(),
    tier,
    parent: z.string().nullable(),
    outcome,
    message: z.string(),
  }),
  failure,
} as const;

export const KNOWLEDGE_ENTRY_PUT = {
  name: "knowledge-entry-put",
  input: z.object({
    scope_id: scopeId,
    category: text(LIMITS.category).describe("Created if the scope does not have it; without /"),
    keyword: text(LIMITS.keyword).describe("Short, such as commit or rate-limiting"),
    content: text(LIMITS.content).describe("The rule, in Markdown"),
    category_description: z
      .string()
      .max(LIMITS.description)
      .optional()
      .describe("Lets an agent judge whether the category matters for its task"),
  }),
  success: z.object({
    ...done,
    scope_id: z.string(),
    category: z.string(),
    keyword: z.string(),
    outcome,
    overrides: z
      .object({ source_scope: z.string(), source_tier: tier })
      .nullable()
      .describe("The inherited entry that this one hides"),
    message: z.string(),
  }),
  failure,
} as const;

export const KNOWLEDGE_ENTRY_REMOVE = {
  name: "knowledge-entry-remove",
  input: z.object({
    scope_id: scopeId,
    category: text(LIMITS.category),
    keyword: text(LIMITS.keyword),
  }),
  success: z.object({
    ...done,
    scope_id: z.string(),
    category: z.string(),
    keyword: z.string(),
    inherited: entry.nullable().describe("The rule that now applies instead"),
    message: z.string(),
  }),
  failure,
} as const;

export const KNOWLEDGE_SCOPE_REMOVE = {
  name: "knowledge-scope-remove",
  input: z.object({
    scope_id: scopeId,
    confirm: z
      .boolean()
      .default(false)
      .describe("Must be true; otherwise you only see what would be removed"),
  }),
  success: z.object({
    ...done,
    scope_id: z.string(),
    entries_removed: z.int(),
    message: z.string(),
  }),
  failure: failure.extend({
    scope: z.object({ id: z.string(), tier, categories: z.int(), entries: z.int() }).optional(),
  }),
} as const;

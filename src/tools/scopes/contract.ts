// The contract of the scopes family: each tool's name and shapes, and the types that others infer from them.
import * as z from "zod";
import { RULE_LIMITS as LIMITS, TIERS } from "../../domain/scope.ts";
import type { Given } from "../contract.ts";

/** Of the structured contents of this family; a field is only ever added under the same number. */
export const SCHEMA_VERSION = 1 as const;

const tier = z.enum(TIERS);
const version = { schemaVersion: z.literal(SCHEMA_VERSION) };
const done = { ...version, success: z.literal(true) };

const failure = z.looseObject({
  ...version,
  success: z.literal(false),
  error: z.string().describe("What went wrong, as a code"),
  message: z.string(),
});

function text(most: number) {
  return z.string().min(1, "must not be empty").max(most, `must have at most ${most} characters`);
}

const scopeId = text(LIMITS.id).describe(
  'Id of a scope of any tier, e.g. "checkout-api". Case-sensitive',
);

function names(most: number, description: string) {
  return z
    .array(text(LIMITS.category + LIMITS.keyword + 1))
    .max(most, `must have at most ${most} items`)
    .describe(description);
}

const entry = z.object({
  keyword: z.string(),
  content: z.string(),
  source_tier: tier,
  source_scope: z.string(),
  category: z.string(),
});

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
    categories: names(200, 'Names as get_categories gave them, e.g. ["git"]'),
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
      'Keywords as get_keywords gave them, or category/keyword, e.g. ["commit", "api/auth"]',
    ),
  }),
  success: z.object({
    ...version,
    scope: z.string(),
    entries: z.array(entry),
    not_found: z.array(z.string()).describe("Keywords that the scope does not have"),
    ambiguous: z
      .array(ambiguity)
      .describe("Keywords in several categories: which was given, and how to ask for others"),
  }),
  failure,
} as const;

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
      .describe("Categories to add or to describe anew; others stay as they are"),
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
    category: text(LIMITS.category).describe("Made when the scope does not have it yet; without /"),
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
    inherited: entry.nullable().describe("What holds for the scope in its place"),
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
      .describe("Must be true; without it you see what would be removed"),
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

const scope = z.object({
  id: z.string(),
  tier,
  parent: z.string().nullable().optional(),
  description: z.string().optional(),
});

/** knowledge://scopes */
const scopesView = z.object({
  scopes: z.array(scope.extend({ category_count: z.number(), entry_count: z.number() })),
});

/** knowledge://explained-scopes/{id} */
const explainedView = z.object({
  scope,
  chain: z.array(scope),
  categories: z.array(z.object({ name: z.string(), tier, description: z.string() })),
  entries: z.array(
    entry.extend({
      overridden: z.array(z.object({ scope: z.string(), tier, content: z.string() })),
    }),
  ),
});

/** Files with rules that a person dropped on a page; `write` is false for a look at what would change. */
export const RULE_DROP = z.object({
  files: z
    .array(z.object({ path: text(1_000), text: z.string() }))
    .min(1, "must not be empty")
    .max(2_000, "must have at most 2000 items"),
  write: z.boolean(),
  scope: scopeId.optional(),
  tier: tier.optional(),
  parent: text(LIMITS.id).optional(),
  guides: z.boolean().optional(),
  replace: z.boolean().optional(),
});

const refusal = z.object({ source: z.string(), line: z.int(), reason: z.string() });

/** What the drop changed, or would change. */
const dropReport = z.object({
  applied: z.boolean(),
  scopes: z.array(
    z.object({
      id: z.string(),
      tier,
      parent: z.string().optional(),
      outcome: z.enum(["added", "changed", "unchanged", "refused"]),
      entries: z.int(),
    }),
  ),
  rules: z.array(
    z.object({
      scope: z.string(),
      category: z.string(),
      keyword: z.string(),
      outcome: z.enum(["added", "changed", "removed"]),
      before: z.string().optional(),
      after: z.string().optional(),
    }),
  ),
  sources: z.array(
    z.object({
      source: z.string(),
      added: z.int(),
      changed: z.int(),
      unchanged: z.int(),
      refused: z.int(),
    }),
  ),
  refused: z.array(refusal),
  fatal: z.array(refusal),
  notes: z.array(z.string()),
});

export type RuleDrop = Given<z.output<typeof RULE_DROP>>;
export type DropReport = Given<z.output<typeof dropReport>>;
export type ScopesView = Given<z.output<typeof scopesView>>;
export type ScopeRow = ScopesView["scopes"][number];
export type ExplainedView = Given<z.output<typeof explainedView>>;
export type Entry = Given<z.output<typeof entry>>;
export type Refused = Given<z.output<typeof failure>>;

// The contract of the scopes family: each tool's name and shapes, and the types that others infer from them.
import * as z from "zod";
import { RULE_LIMITS as LIMITS, type Scope, TIERS, type Tier } from "../../domain/scope.ts";
import type { Given } from "../contract.ts";
import { required, text } from "../shapes.ts";

/** Version of this family's structured content; under one number fields are only added. */
export const SCHEMA_VERSION = 1 as const;

const tier = z.enum(TIERS);
const version = { schemaVersion: z.literal(SCHEMA_VERSION) };
const done = { ...version, success: z.literal(true) };
const name = (most: number) => required(text(most));

const failure = z.looseObject({
  ...version,
  success: z.literal(false),
  error: z.string(),
  message: z.string(),
});

const scopeId = name(LIMITS.id);
const projectId = scopeId.describe('Such as "checkout-api"');

const entry = z.object({
  keyword: z.string(),
  content: z.string(),
  source_tier: tier,
  source_scope: z.string(),
  category: z.string(),
});

const names = z
  .array(name(LIMITS.category + LIMITS.keyword + 1))
  .max(200, "must have at most 200 items");
const category = z.object({ name: z.string(), tier, description: z.string() });

export const GET_CATEGORIES = {
  name: "get_categories",
  input: z.object({ project_name: projectId }),
  success: z.object({ ...version, scope: z.string(), categories: z.array(category) }),
  failure,
} as const;

export const GET_KEYWORDS = {
  name: "get_keywords",
  input: z.object({
    project_name: projectId,
    categories: names.describe('Names from get_categories, e.g. ["git"]'),
  }),
  success: z.object({
    ...version,
    scope: z.string(),
    keywords: z.record(z.string(), z.array(z.string())),
    not_found: z.array(z.string()).describe("Categories that the scope does not have"),
  }),
  failure,
} as const;

const ambiguity = z.object({
  keyword: z.string(),
  chosen: z.string(),
  others: z.array(z.string()),
});

export const GET_KNOWLEDGE = {
  name: "get_knowledge",
  input: z.object({
    scope_id: projectId,
    keywords: names.describe(
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

export const KNOWLEDGE_SCOPES = {
  name: "knowledge-scopes",
  input: z.object({ under: scopeId.optional().describe("Only this scope and those below it") }),
  success: z.object({
    ...done,
    scopes: z.array(
      z.object({
        scope_id: z.string(),
        tier,
        depth: z.int(),
        parent: z.string().optional(),
        description: z.string().optional(),
        rules: z.int().describe("Its own, without inherited ones"),
      }),
    ),
    total: z.int(),
    message: z.string().optional(),
  }),
  failure,
} as const;

const outcome = z.enum(["created", "updated", "unchanged"]);
const description = text(LIMITS.description);

export const KNOWLEDGE_SCOPE_PUT = {
  name: "knowledge-scope-put",
  input: z.object({
    scope_id: scopeId,
    tier: tier.optional().describe("Needed for a new scope"),
    parent: name(LIMITS.id)
      .nullable()
      .optional()
      .describe("A scope of a more general tier, to inherit from"),
    description: description.optional(),
    categories: z
      .array(z.object({ name: name(LIMITS.category), description }))
      .max(200)
      .optional()
      .describe("To add, or to change their description; others stay"),
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
    category: name(LIMITS.category).describe("Created if missing; without /"),
    keyword: name(LIMITS.keyword).describe("Such as commit or rate-limiting"),
    content: name(LIMITS.content).describe("The rule, in Markdown"),
    category_description: description.optional().describe("When the category matters"),
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
    category: name(LIMITS.category),
    keyword: name(LIMITS.keyword),
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
    confirm: z.boolean().default(false).describe("Without it you only see what would be removed"),
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

/** Files with rules that a person dropped on the console's page; with `write` false, only a preview. */
export const RULE_DROP = z.object({
  files: z
    .array(z.object({ path: name(1_000), text: z.string() }))
    .min(1, "must not be empty")
    .max(2_000, "must have at most 2000 items"),
  write: z.boolean(),
  scope: scopeId.optional(),
  tier: tier.optional(),
  parent: name(LIMITS.id).optional(),
  guides: z.boolean().optional(),
  replace: z.boolean().optional(),
});

export type RuleDrop = Given<z.output<typeof RULE_DROP>>;
export type Entry = Given<z.output<typeof entry>>;
export type Refused = Given<z.output<typeof failure>>;

/** What the drop changed, or would change. */
export type { ImportReport as DropReport } from "../../scopes/scopes.ts";

/** knowledge://scopes */
export interface ScopesView {
  readonly scopes: readonly ScopeRow[];
}

export interface ScopeRow extends Omit<Scope, "parent"> {
  readonly parent?: string | null;
  readonly category_count: number;
  readonly entry_count: number;
}

/** knowledge://explained-scopes/{id} */
export interface ExplainedView {
  readonly scope: Scope;
  readonly chain: readonly Scope[];
  readonly categories: readonly Given<z.output<typeof category>>[];
  readonly entries: readonly (Entry & {
    readonly overridden: readonly {
      readonly scope: string;
      readonly tier: Tier;
      readonly content: string;
    }[];
  })[];
}

// What every answer of the scopes family has in common.
import { z } from "zod";
import type { KnowledgeError } from "../../domain/errors.ts";
import { TIERS } from "../../domain/scope.ts";
import { type Ambiguity, LIMITS, type ResolvedEntry, type Scopes } from "../../scopes/scopes.ts";
import type { JsonObject, ToolOutput } from "../tool.ts";

/** Opens the room at first need. */
export type OpenScopes = () => Promise<Scopes>;

/** Of the structured contents of this family; a field is only ever added under the same number. */
export const SCHEMA_VERSION = 1;

export function toError(error: KnowledgeError): JsonObject {
  return {
    schemaVersion: SCHEMA_VERSION,
    success: false,
    error: error.code.toLowerCase(),
    message: error.message,
    ...error.details,
  };
}

export function answer(payload: JsonObject): ToolOutput {
  return { payload, structured: { schemaVersion: SCHEMA_VERSION, ...payload } };
}

/** Clients check errors against the output schema too, so an answer's own fields are required of none. */
export function answerShape<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.looseObject({
    schemaVersion: z.literal(SCHEMA_VERSION),
    success: z.boolean().optional(),
    error: z.string().optional().describe("What went wrong, as a code"),
    message: z.string().optional(),
    ...(z.object(shape).partial().shape as { [Key in keyof Shape]: z.ZodOptional<Shape[Key]> }),
  });
}

export const tier = z.enum(TIERS);

export function text(most: number) {
  return z.string().min(1, "must not be empty").max(most, `must have at most ${most} characters`);
}

export const scopeId = text(LIMITS.id).describe(
  'Id of a scope of any tier, e.g. "checkout-api". Case-sensitive',
);

export function names(most: number, description: string) {
  return z
    .array(text(LIMITS.category + LIMITS.keyword + 1))
    .max(most, `must have at most ${most} items`)
    .describe(description);
}

export const entryShape = z.object({
  keyword: z.string(),
  content: z.string(),
  source_tier: tier,
  source_scope: z.string(),
  category: z.string(),
});

export function toEntry({ keyword, content, scope, category }: ResolvedEntry) {
  return { keyword, content, source_tier: scope.tier, source_scope: scope.id, category };
}

export const ambiguityShape = z.object({
  keyword: z.string(),
  chosen: z.string(),
  others: z.array(z.string()),
});

export function toAmbiguity({ keyword, chosen, others }: Ambiguity) {
  return { keyword, chosen, others };
}

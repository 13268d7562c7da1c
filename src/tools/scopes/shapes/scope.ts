// Parts that the family's shapes share.
import * as z from "zod";
import { RULE_LIMITS as LIMITS, TIERS } from "../../../domain/scope.ts";

/** Version of this family's structured content; under one number fields are only added. */
export const SCHEMA_VERSION = 1 as const;

export const tier = z.enum(TIERS);
export const version = { schemaVersion: z.literal(SCHEMA_VERSION) };
export const done = { ...version, success: z.literal(true) };

export const failure = z.looseObject({
  ...version,
  success: z.literal(false),
  error: z.string().describe("What went wrong, as a code"),
  message: z.string(),
});

export function text(most: number) {
  return z.string().min(1, "must not be empty").max(most, `must have at most ${most} characters`);
}

export const scopeId = text(LIMITS.id).describe(
  'Id of a scope of any tier, e.g. "checkout-api". Case-sensitive',
);

export const entry = z.object({
  keyword: z.string(),
  content: z.string(),
  source_tier: tier,
  source_scope: z.string(),
  category: z.string(),
});

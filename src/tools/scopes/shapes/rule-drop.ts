// Rules that a person imports on the console's page.
import * as z from "zod";
import { RULE_LIMITS as LIMITS } from "../../../domain/scope.ts";
import { scopeId, text, tier } from "./scope.ts";

/** Files with rules that were dropped on the page; with `write` false, only a preview. */
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
export const dropReport = z.object({
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
  notes: z.array(z.object({ code: z.string(), values: z.array(z.string()) })),
});

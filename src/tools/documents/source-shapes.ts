// What the tool for sources takes, and what it returns about one.
import * as z from "zod";
import { readInterval } from "../../domain/source.ts";
import { required, trimmed } from "../shapes.ts";
import { message, scopeId } from "./shapes.ts";

const EVERY = "must be a time such as 30m, 6h or 1d";

export const sourceInput = z.object({
  action: z.enum(["list", "add", "sync", "pause", "resume", "remove"]),
  source_id: trimmed(100).optional(),
  address: trimmed(2_048)
    .optional()
    .describe("To add: a URL (pages below it are followed), or the whole path of a folder"),
  every: trimmed(10)
    .refine((given) => readInterval(given) !== undefined, { error: EVERY })
    .optional()
    .describe("30m, 6h, 1d; without it only when asked"),
  include: z
    .array(required(trimmed(500)))
    .max(100)
    .optional()
    .describe("Patterns as in .gitignore"),
  scope: scopeId,
});

export type SourceCall = z.output<typeof sourceInput>;

export const listedSource = z.object({
  source_id: z.string(),
  kind: z.string(),
  address: z.string(),
  scope: z.string().optional(),
  items: z.number(),
  failed: z.number(),
  state: z.enum(["idle", "syncing", "paused"]),
  every: z.string().optional(),
  task_id: z.string().optional(),
  last_sync: z.string().optional(),
  next_sync: z.string().optional(),
  problem: z.string().optional(),
  problem_code: message.optional(),
  failures: z
    .array(
      z.object({
        item: z.string(),
        error: z.string(),
        message: z.string(),
        reason: message.optional(),
      }),
    )
    .optional(),
});

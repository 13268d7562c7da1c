// The parameters of each method. They are checked here, not by the SDK, whose errors expose a validator's internals.
import * as z from "zod";
import { unwrapArguments } from "../domain/call/json-object.ts";
import { describeIssues } from "../domain/input-issue.ts";
import { invalidParams } from "./errors.ts";

export const CALL = z.object({
  name: z.string(),
  // Of any type: a tool refuses invalid ones in its own form.
  arguments: z.unknown().optional().transform(unwrapArguments),
  task: z.unknown().optional(),
});
export const CANCEL = z.object({ taskId: z.string().min(1) });
export const LIST = z.object({ cursor: z.string().optional() });
export const RESOURCE = z.object({ uri: z.string() });
export const GET_PROMPT = z.object({
  name: z.string(),
  arguments: z.record(z.string(), z.string()).optional(),
});
export const COMPLETE = z.object({
  ref: z.object({ type: z.string(), name: z.string().optional(), uri: z.string().optional() }),
  argument: z.object({ name: z.string(), value: z.string() }),
  context: z.object({ arguments: z.record(z.string(), z.string()).optional() }).optional(),
});

/** For the SDK; `readParams` does the checking. */
export const ANY = { params: z.unknown() };

export function readParams<Schema extends z.ZodType>(
  schema: Schema,
  params: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  throw invalidParams("invalid_parameter", describeIssues(parsed.error.issues));
}

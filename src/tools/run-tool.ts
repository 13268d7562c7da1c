// The one place where a tool's arguments are checked and its failures become payloads. Rights are the door's.
import type { z } from "zod";
import { KnowledgeError, toKnowledgeError } from "../domain/errors.ts";
import { describeIssues, pathOf } from "../domain/input-issue.ts";
import type { CallContext, Tool, ToolOutput } from "./tool.ts";

export async function runTool(
  tool: Tool,
  args: unknown,
  context: CallContext,
): Promise<ToolOutput> {
  const parsed = tool.input.safeParse(args ?? {});
  if (!parsed.success) return toOutput(tool, toArgumentError(parsed.error, args));
  try {
    return await tool.run(parsed.data, context);
  } catch (thrown) {
    const error = toKnowledgeError(thrown);
    const level = error.code === "INTERNAL" ? "error" : "debug";
    context.log[level]("tool.failed", { tool: tool.name, code: error.code, error });
    return toOutput(tool, error);
  }
}

export function toOutput(tool: Tool, error: KnowledgeError): ToolOutput {
  const payload = tool.toError(error);
  return { payload, structured: payload, isError: true };
}

function toArgumentError(error: z.ZodError, args: unknown): KnowledgeError {
  const missing = error.issues.find((issue) => isMissing(issue, args));
  const issue = missing ?? error.issues[0];
  const parameter = issue ? pathOf(issue) : "";
  if (missing) {
    return new KnowledgeError(
      "MISSING_REQUIRED_PARAMETER",
      `The parameter '${parameter}' is required.`,
      { details: { parameter } },
    );
  }
  return new KnowledgeError("INVALID_PARAMETER", describeIssues(error.issues), {
    details: parameter === "" ? {} : { parameter },
  });
}

function isMissing(issue: z.core.$ZodIssue, args: unknown): boolean {
  if (issue.code !== "invalid_type" && issue.code !== "invalid_value") return false;
  let value: unknown = args ?? {};
  for (const key of issue.path) {
    if (typeof value !== "object" || value === null) return false;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return issue.path.length > 0 && value === undefined;
}

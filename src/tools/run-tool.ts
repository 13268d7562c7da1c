// The one place where a tool's arguments are checked and its failures become payloads. Rights are compared before, by access control.
import type { z } from "zod";
import { isJsonObject } from "../domain/call/json-object.ts";
import { type ErrorCode, KnowledgeError, toKnowledgeError } from "../domain/errors.ts";
import { describeIssues, pathOf } from "../domain/input-issue.ts";
import { similarIds } from "../text/similar-ids.ts";
import type { CallContext, JsonObject, Tool, ToolOutput } from "./tool.ts";

const MAX_NAMED = 5;
const MAX_CHARACTERS = 100;

export async function runTool(
  tool: Tool,
  args: unknown,
  context: CallContext,
): Promise<ToolOutput> {
  const parsed = tool.input.safeParse(args ?? {});
  const unknown = unknownArguments(tool, args);
  try {
    if (!parsed.success) {
      const error = await withChoices(tool, toArgumentError(parsed.error, args), context);
      return toOutput(tool, withUnknown(error, unknown));
    }
    const output = await tool.run(parsed.data, context);
    return unknown === undefined ? output : withNote(output, unknown);
  } catch (thrown) {
    const error = toKnowledgeError(thrown);
    const level = error.code === "INTERNAL" ? "error" : "debug";
    context.log[level]("tool.failed", { tool: tool.name, code: error.code, error });
    return toOutput(tool, withUnknown(error, unknown));
  }
}

const ARGUMENT_CODES: ReadonlySet<string> = new Set<ErrorCode>([
  "MISSING_REQUIRED_PARAMETER",
  "INVALID_PARAMETER",
]);

/** A required argument under another name looks missing: the name that was used says why. */
function withUnknown(error: KnowledgeError, unknown: string | undefined): KnowledgeError {
  if (unknown === undefined || !ARGUMENT_CODES.has(error.code)) return error;
  const { code, message, details, cause } = error;
  return new KnowledgeError(code, `${message} ${unknown}.`, { details, cause });
}

/** Unknown arguments are ignored, because clients send their own; but a caller who misspelt one must be notified. */
function unknownArguments({ input }: Tool, args: unknown): string | undefined {
  const known = Object.keys(input.shape);
  const given = isJsonObject(args) ? Object.keys(args) : [];
  const unknown = given.filter((name) => !known.includes(name));
  if (unknown.length === 0) return undefined;
  const named = unknown.slice(0, MAX_NAMED).map((name) => {
    const [meant] = similarIds(name, known);
    const shown = `'${name.slice(0, MAX_CHARACTERS)}'`;
    return meant === undefined ? shown : `${shown} (did you mean '${meant}'?)`;
  });
  return `Ignored unknown arguments: ${named.join(", ")}`;
}

/** In `message` if the payload has the family's form, otherwise next to the contract's JSON. */
function withNote(output: ToolOutput, note: string): ToolOutput {
  const { payload, structured, notes = [] } = output;
  const noted = isJsonObject(structured) && { structured: withMessage(structured, note) };
  return isJsonObject(payload) && "success" in payload
    ? { ...output, payload: withMessage(payload, note), ...noted }
    : { ...output, ...noted, notes: [...notes, note] };
}

function withMessage(payload: JsonObject, note: string): JsonObject {
  const { message } = payload;
  return { ...payload, message: typeof message === "string" ? `${message}. ${note}` : note };
}

export function toOutput(tool: Tool, error: KnowledgeError): ToolOutput {
  const payload = tool.toError(error);
  return { payload, structured: payload, isError: true };
}

function toArgumentError(error: z.ZodError, args: unknown): KnowledgeError {
  const missing = error.issues.find((issue) => isMissing(issue, args));
  const issue = missing ?? error.issues[0];
  const parameter = issue ? pathOf(issue) : "";
  const details = parameter === "" ? {} : { parameter };
  return missing
    ? new KnowledgeError(
        "MISSING_REQUIRED_PARAMETER",
        `The parameter '${parameter}' is required.`,
        {
          details,
        },
      )
    : new KnowledgeError("INVALID_PARAMETER", describeIssues(error.issues), { details });
}

async function withChoices(
  { choices }: Tool,
  error: KnowledgeError,
  context: CallContext,
): Promise<KnowledgeError> {
  if (error.code !== "MISSING_REQUIRED_PARAMETER" || !choices) return error;
  const known = await choices(String(error.details["parameter"]), context);
  if (known === "") return error;
  return new KnowledgeError(error.code, `${error.message} ${known}`, { details: error.details });
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

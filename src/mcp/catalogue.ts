// What the protocol lists, built once: schemas are translated here and never per request.

import type {
  ListPromptsResult,
  ListResourceTemplatesResult,
  ListToolsResult,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { ownIcons } from "../domain/call/identity.ts";
import type { Toolbox } from "../tools/family.ts";
import type { Tool } from "../tools/tool.ts";

export interface Catalogue {
  readonly tools: ListToolsResult;
  /** For revision 2025-11-25, where a tool says whether it may be called as a task. */
  readonly taskTools: ListToolsResult;
  readonly templates: ListResourceTemplatesResult;
  readonly prompts: ListPromptsResult;
}

type Listed = ListToolsResult["tools"][number];
type OutputSchema = NonNullable<Listed["outputSchema"]>;

export function toCatalogue(toolbox: Toolbox): Catalogue {
  const tools = toolbox.tools.map(toListedTool);
  const starting = new Set(toolbox.tools.filter((tool) => tool.startsTask).map(({ name }) => name));
  return {
    tools: { tools },
    taskTools: {
      tools: tools.map((tool) =>
        starting.has(tool.name) ? { ...tool, execution: { taskSupport: "optional" } } : tool,
      ),
    },
    templates: {
      resourceTemplates: toolbox.templates.map(
        ({ uriTemplate, name, title, description, mimeType }) => ({
          uriTemplate,
          name,
          title,
          description,
          mimeType,
          icons: ownIcons(),
        }),
      ),
    },
    prompts: {
      prompts: toolbox.prompts.map(({ render: _render, arguments: args, ...prompt }) => ({
        ...prompt,
        arguments: args.map(({ complete: _complete, ...argument }) => argument),
      })),
    },
  };
}

// Claude Code writes a result of more than 50,000 characters to a file unless the tool says this; it allows no more.
const LONG_RESULTS = { "anthropic/maxResultSizeChars": 500_000 };

function toListedTool(tool: Tool): Listed {
  const listed: Listed = {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: (tool.inputSchema ?? toInputSchema(tool.input)) as Listed["inputSchema"],
    annotations: toHints(tool),
  };
  const output = tool.outputSchema ?? (tool.output && toOutputSchema(tool.output));
  if (output) listed.outputSchema = output as OutputSchema;
  if (tool.hasLongResults) listed._meta = LONG_RESULTS;
  return listed;
}

export function toInputSchema(schema: z.ZodType): object {
  return toJsonSchema(schema, "input");
}

/** Lists a result's fields but not what is inside them: every conversation pays for the list, and few clients read it. */
export function toOutputSchema(schema: z.ZodType): object {
  const listed: Part = toJsonSchema(schema, "output");
  for (const field of Object.values((listed["properties"] ?? {}) as Part)) outline(field as Part);
  return listed;
}

const INSIDE = [
  ...["properties", "required", "additionalProperties", "description"],
  ...["items", "minimum", "maximum"],
];

function outline(field: Part): void {
  for (const key of INSIDE) delete field[key];
  for (const part of (field["anyOf"] ?? []) as readonly Part[]) outline(part);
}

/** The other two hints mean something only for tools that change something. */
function toHints(tool: Tool) {
  const { effect, idempotent, replaces = false, isOpenWorld = effect === "open" } = tool;
  const openWorldHint = isOpenWorld;
  if (effect === "read" || effect === "open") return { readOnlyHint: true, openWorldHint };
  return {
    readOnlyHint: false,
    destructiveHint: effect === "destroy" || replaces,
    idempotentHint: idempotent,
    openWorldHint,
  };
}

function toJsonSchema(schema: z.ZodType, io: "input" | "output") {
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: "draft-2020-12", io });
  makePortable(rest, io);
  return { type: "object" as const, ...rest };
}

type Part = Record<string, unknown>;

/**
 * Some clients map schemas onto dialects that know one `type` a schema and no empty ones. And objects of
 * results take further members: an older client's check must not fail on a field that was added later.
 */
function makePortable(value: unknown, io: "input" | "output"): void {
  if (typeof value !== "object" || value === null) return;
  const part = value as Part;
  leaveOut(part, io);
  if (Array.isArray(part["type"])) {
    part["anyOf"] = part["type"].map((type) => ({ type }));
    delete part["type"];
  }
  for (const each of Object.values(part)) makePortable(each, io);
}

/** Leaves out what the type, format or description already says: every conversation pays for each token of the list. */
function leaveOut(part: Part, io: "input" | "output"): void {
  const more = part["additionalProperties"];
  const isOpen = io === "output" ? more === false : typeof more === "object";
  if (isEmpty(more) || isOpen) delete part["additionalProperties"];
  // The tool itself refuses invalid values, with its own message.
  if (io === "input") for (const bound of UNLISTED) delete part[bound];
  if (Number(part["maxLength"]) > LONG) delete part["maxLength"];
  if (part["maximum"] === Number.MAX_SAFE_INTEGER) delete part["maximum"];
  if (part["minimum"] === Number.MIN_SAFE_INTEGER) delete part["minimum"];
  if (typeof part["format"] === "string") delete part["pattern"];
  delete part["propertyNames"];
}

/** A model that passes three elements does not need to know the maximum. */
const UNLISTED = ["minItems", "maxItems", "minLength"];

/** Nor a length that no model reaches. */
const LONG = 500;

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

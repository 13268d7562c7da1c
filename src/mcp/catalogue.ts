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
    annotations: { title: tool.title, ...toHints(tool) },
  };
  const output = tool.outputSchema ?? (tool.output && toOutputSchema(tool.output));
  if (output) listed.outputSchema = output as OutputSchema;
  if (tool.hasLongResults) listed._meta = LONG_RESULTS;
  return listed;
}

export function toInputSchema(schema: z.ZodType): object {
  return toJsonSchema(schema, "input");
}

export function toOutputSchema(schema: z.ZodType): object {
  return toJsonSchema(schema, "output");
}

function toHints({ effect, idempotent, isOpenWorld = effect === "open" }: Tool) {
  return {
    readOnlyHint: effect === "read" || effect === "open",
    destructiveHint: effect === "destroy",
    idempotentHint: idempotent,
    openWorldHint: isOpenWorld,
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
  if (part["maximum"] === Number.MAX_SAFE_INTEGER) delete part["maximum"];
  if (part["minimum"] === Number.MIN_SAFE_INTEGER) delete part["minimum"];
  if (typeof part["format"] === "string") delete part["pattern"];
  if (JSON.stringify(part["propertyNames"]) === '{"type":"string"}') delete part["propertyNames"];
}

/** A model that passes three elements does not need to know the maximum. */
const UNLISTED = ["minItems", "maxItems"];

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}

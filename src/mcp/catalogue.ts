// What the protocol lists, made once: schemas are translated here and never per request.
import type {
  ListPromptsResult,
  ListResourceTemplatesResult,
  ListToolsResult,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Toolbox } from "../tools/offer.ts";
import type { Effect, Tool } from "../tools/tool.ts";

export interface Catalogue {
  readonly tools: ListToolsResult;
  readonly templates: ListResourceTemplatesResult;
  readonly prompts: ListPromptsResult;
}

type Listed = ListToolsResult["tools"][number];

export function toCatalogue(toolbox: Toolbox): Catalogue {
  return {
    tools: { tools: toolbox.tools.map(toListedTool) },
    templates: {
      resourceTemplates: toolbox.templates.map(
        ({ uriTemplate, name, title, description, mimeType }) => ({
          uriTemplate,
          name,
          title,
          description,
          mimeType,
        }),
      ),
    },
    prompts: {
      prompts: toolbox.prompts.map(({ name, title, description, arguments: args }) => ({
        name,
        title,
        description,
        arguments: args.map((argument) => ({
          name: argument.name,
          description: argument.description,
          required: argument.required,
        })),
      })),
    },
  };
}

function toListedTool(tool: Tool): Listed {
  const listed: Listed = {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: toJsonSchema(tool.input, "input") as Listed["inputSchema"],
    annotations: { title: tool.title, ...toHints(tool.effect, tool.idempotent) },
  };
  if (tool.output)
    listed.outputSchema = toJsonSchema(tool.output, "output") as NonNullable<
      Listed["outputSchema"]
    >;
  return listed;
}

function toHints(effect: Effect, idempotent: boolean) {
  return {
    readOnlyHint: effect === "read" || effect === "open",
    destructiveHint: effect === "destroy",
    idempotentHint: idempotent,
    openWorldHint: effect === "open",
  };
}

function toJsonSchema(schema: z.ZodType, io: "input" | "output") {
  const { $schema, ...rest } = z.toJSONSchema(schema, { target: "draft-2020-12", io });
  // Objects take further members: an older client's result check must not fail on a field added later.
  if (io === "output") allowMore(rest);
  return { type: "object" as const, ...rest };
}

function allowMore(schema: unknown): void {
  if (typeof schema !== "object" || schema === null) return;
  if ("additionalProperties" in schema && schema.additionalProperties === false) {
    delete schema.additionalProperties;
  }
  for (const part of Object.values(schema)) allowMore(part);
}

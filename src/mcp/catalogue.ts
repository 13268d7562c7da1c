// What the protocol lists, built once: schemas are translated here and never per request.

import type {
  ListPromptsResult,
  ListResourceTemplatesResult,
  ListToolsResult,
} from "@modelcontextprotocol/server";
import * as z from "zod";
import { serverIcons } from "../domain/call/server-identity.ts";
import type { Contract } from "../tools/contract.ts";
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
          icons: serverIcons(),
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
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: "input" });
  makePortable(rest);
  return { type: "object", ...rest };
}

/**
 * Lists the fields that every success has beside the arguments that it repeats, but not what is inside them: every
 * conversation pays for the list, and few clients read it. Clients check errors against it too, so only what these share
 * is required.
 */
export function toOutputSchema({ input, success, failure }: Omit<Contract, "name">): object {
  const successes = variantsOf(z.toJSONSchema(success) as Variant);
  const all = [...successes, ...variantsOf(z.toJSONSchema(failure) as Variant)];
  const inAll = (variants: readonly Variant[]) => (name: string) =>
    variants.every(({ required = [] }) => required.includes(name));
  const names = Object.keys(successes[0]?.properties ?? {}).filter(inAll(successes));
  const listed = names.filter((name) => !Object.hasOwn(input.shape, name));
  const outlines = listed.map((name) => {
    const given = all.flatMap((variant) => variant.properties?.[name] ?? []);
    return [name, outline(given)] as const;
  });
  const properties = Object.fromEntries(outlines);
  makePortable(properties);
  const required = listed.filter(inAll(all));
  return { type: "object", properties, ...(required.length > 0 && { required }) };
}

interface Variant {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Variant[];
  readonly oneOf?: readonly Variant[];
  readonly properties?: Readonly<Record<string, Variant>>;
  readonly required?: readonly string[];
}

function variantsOf(schema: Variant): readonly Variant[] {
  const { anyOf, oneOf = anyOf } = schema;
  return oneOf?.flatMap(variantsOf) ?? [schema];
}

/** Variants that differ in a field have values of one type: true or false, one text or another. */
function outline(given: readonly Variant[]): object {
  const [{ type, anyOf } = {}] = given;
  if (anyOf) return { anyOf: anyOf.map((option) => outline([option])) };
  const values = [...new Set(given.flatMap((each) => each.enum ?? each.const ?? []))];
  if (values.length === 1) return { type, const: values[0] };
  return type === "string" && values.length > 0 ? { type, enum: values } : { type };
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

type Part = Record<string, unknown>;

/** Some clients map schemas onto dialects that know one `type` a schema and no empty ones. */
function makePortable(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const part = value as Part;
  leaveOut(part);
  if (Array.isArray(part["type"])) {
    part["anyOf"] = part["type"].map((type) => ({ type }));
    delete part["type"];
  }
  for (const each of Object.values(part)) makePortable(each);
}

// The tool itself refuses invalid values, with its own message: a model that passes three elements does not need to know
// the maximum.
const UNLISTED = ["minItems", "maxItems", "minLength", "propertyNames", "additionalProperties"];

/** Leaves out what the type, format or description already says: every conversation pays for each token of the list. */
function leaveOut(part: Part): void {
  for (const bound of UNLISTED) delete part[bound];
  if (part["maximum"] === Number.MAX_SAFE_INTEGER) delete part["maximum"];
  if (part["minimum"] === Number.MIN_SAFE_INTEGER) delete part["minimum"];
  if (typeof part["format"] === "string") delete part["pattern"];
}

// Resources, templates and completions, from the values that the families offer.
import type { BlobResourceContents, ListResourcesResult } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { unknownCursor } from "../domain/call/cursor.ts";
import { defined } from "../domain/defined.ts";
import { KnowledgeError } from "../domain/errors.ts";
import type { Complete, ResourceTemplate, ResourceText, Toolbox } from "../tools/family.ts";
import type { CallContext } from "../tools/tool.ts";
import { readSkillFile } from "./extensions/skills.ts";
import type { COMPLETE } from "./params.ts";

// The protocol's limit for one result.
const MAX_COMPLETIONS = 100;

export interface Resources {
  list(cursor: string | undefined, context: CallContext): Promise<ListResourcesResult>;
  read(uri: string, context: CallContext): Promise<ResourceText | BlobResourceContents>;
  complete(request: CompletionRequest, context: CallContext): Promise<Completion>;
}

type CompletionRequest = z.output<typeof COMPLETE>;

interface Completion {
  readonly values: string[];
  readonly total: number;
  readonly hasMore: boolean;
}

export function toResources(toolbox: Toolbox): Resources {
  const patterns = toolbox.templates.map((template) => ({
    template,
    pattern: toPattern(template.uriTemplate),
  }));
  return {
    list: (cursor, context) => list(toolbox, cursor, context),
    async read(uri, context) {
      const fixed = toolbox.resources.find((resource) => resource.uri === uri);
      if (fixed) return { uri, mimeType: fixed.mimeType, text: await fixed.read(context) };
      for (const { template, pattern } of patterns) {
        const variables = toVariables(pattern.exec(uri));
        if (!variables) continue;
        const { mimeType } = template;
        const content = await template.read(variables, context);
        if (typeof content === "string") return { uri, mimeType, text: content };
        return { uri, mimeType, blob: Buffer.from(content).toString("base64") };
      }
      const file = await readSkillFile(toolbox.skills, uri, context);
      if (file) return file;
      const message = "There is no such resource. List the resources first.";
      throw new KnowledgeError("RESOURCE_NOT_FOUND", message);
    },
    async complete({ ref, argument, context: known }, context) {
      const complete = findCompletion(toolbox, ref, argument.name);
      const values = (await complete?.(argument.value, context, known?.arguments ?? {})) ?? [];
      return {
        values: values.slice(0, MAX_COMPLETIONS),
        total: values.length,
        hasMore: values.length > MAX_COMPLETIONS,
      };
    },
  };
}

/** Fixed resources are on the first page; then each template's own pages. The cursor is `INDEX:INNER`. */
async function list(
  toolbox: Toolbox,
  cursor: string | undefined,
  context: CallContext,
): Promise<ListResourcesResult> {
  const listing = toolbox.templates.filter((template) => template.list);
  const [at, inner] = parseCursor(cursor, listing.length);
  const fixed = cursor === undefined ? toolbox.resources.map(toListed) : [];
  const template: ResourceTemplate | undefined = listing[at];
  if (!template?.list) return { resources: fixed };
  const page = await template.list(inner, context);
  const more = at + 1 < listing.length ? `${at + 1}:` : undefined;
  const next = page.next === undefined ? more : `${at}:${page.next}`;
  return {
    resources: [...fixed, ...page.resources.map(withSize)],
    ...defined({ nextCursor: next && Buffer.from(next).toString("base64url") }),
  };
}

function parseCursor(cursor: string | undefined, count: number): [number, string | undefined] {
  if (cursor === undefined) return [0, undefined];
  const match = /^(\d+):(.*)$/s.exec(Buffer.from(cursor, "base64url").toString());
  const at = Number(match?.[1] ?? Number.NaN);
  if (!(at < count)) throw unknownCursor();
  return [at, match?.[2] || undefined];
}

function toListed(resource: Toolbox["resources"][number]) {
  const { uri, name, title, description, mimeType, sizeBytes } = resource;
  return { uri, name, title, description, mimeType, ...defined({ size: sizeBytes?.() }) };
}

function withSize<Resource extends { readonly sizeBytes?: number }>(resource: Resource) {
  const { sizeBytes: size, ...rest } = resource;
  return { ...rest, ...defined({ size }) };
}

function toPattern(uriTemplate: string): RegExp {
  const source = uriTemplate
    .split(/(\{\w+\})/)
    .map((part) =>
      part.startsWith("{")
        ? `(?<${part.slice(1, -1)}>[^/?#]+)`
        : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"),
    )
    .join("");
  return new RegExp(`^${source}$`);
}

function toVariables(match: RegExpExecArray | null): Record<string, string> | undefined {
  if (!match) return undefined;
  try {
    const found = Object.entries(match.groups ?? {});
    return Object.fromEntries(found.map(([name, value]) => [name, decodeURIComponent(value)]));
  } catch {
    // A percent sign that begins no escape: there is no such resource.
    return undefined;
  }
}

function findCompletion(
  toolbox: Toolbox,
  ref: CompletionRequest["ref"],
  argument: string,
): Complete | undefined {
  if (ref.type === "ref/resource") {
    const template = toolbox.templates.find((each) => each.uriTemplate === ref.uri);
    const { complete = {} } = template ?? {};
    return Object.hasOwn(complete, argument) ? complete[argument] : undefined;
  }
  const prompt = toolbox.prompts.find((each) => each.name === ref.name);
  return prompt?.arguments.find((each) => each.name === argument)?.complete;
}

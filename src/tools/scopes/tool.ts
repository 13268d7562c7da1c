// What the tools of the scopes family share: the room they work with, and the form of results and errors.
import type { KnowledgeError } from "../../domain/errors.ts";
import type { ResolvedEntry } from "../../scopes/scopes.ts";
import type { Contract } from "../contract.ts";
import type { OpenScopes } from "../sights.ts";
import {
  type CallContext,
  defineTool,
  type FamilyTool,
  type Tool,
  type ToolOutput,
} from "../tool.ts";
import { type Entry, type Refused, SCHEMA_VERSION } from "./contract.ts";

export type { OpenScopes } from "../sights.ts";

const VERSION = { schemaVersion: SCHEMA_VERSION } as const;

export function scopesTool<Of extends Contract>(definition: FamilyTool<Of>): Tool {
  return defineTool({ family: "scopes", toError, ...definition });
}

function toError({ code, message, details }: KnowledgeError): Refused {
  return { ...VERSION, success: false, error: code.toLowerCase(), message, ...details };
}

/** The existing ids, for callers that gave none. */
export function scopeChoices(open: OpenScopes) {
  return async (parameter: string, context: CallContext): Promise<string> =>
    parameter === "project_name" || parameter === "scope_id" ? (await open(context)).known() : "";
}

export function respond<Payload>(payload: Payload): ToolOutput<typeof VERSION & Payload> {
  return { payload, structured: { ...VERSION, ...payload } };
}

export function toEntry({ keyword, content, scope, category }: ResolvedEntry): Entry {
  return { keyword, content, source_tier: scope.tier, source_scope: scope.id, category };
}

/** Clients that read text alone learn it too. */
export function notFoundNote(
  what: "keywords" | "categories",
  scope: string,
  names: readonly string[],
): { readonly notes?: readonly string[] } {
  if (names.length === 0) return {};
  return { notes: [`Scope '${scope}' has no ${what}: ${names.join(", ")}`] };
}

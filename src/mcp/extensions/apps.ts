// MCP Apps (SEP-1865): one self-contained page in which a host may show a call's result inside the conversation.
import type { ClientCapabilities, ListToolsResult } from "@modelcontextprotocol/server";
import type { ResourceText } from "../../tools/family.ts";

export const APPS = "io.modelcontextprotocol/ui";
const VIEW_URI = "ui://knowledge-server/view";
const MIME_TYPE = "text/html;profile=mcp-app";
/** The tools whose results the page can show. */
const SHOWN: readonly string[] = ["knowledge-search", "knowledge-read"];

/** Reads the built page; undefined if it was never built. */
export type ReadView = () => Promise<string | undefined>;

export function hasApps({ extensions }: ClientCapabilities): boolean {
  const { mimeTypes } = (extensions?.[APPS] ?? {}) as { readonly mimeTypes?: unknown };
  return Array.isArray(mimeTypes) && mimeTypes.includes(MIME_TYPE);
}

/** The page is listed only for clients that can show it: every conversation pays for the list. */
export function withViews({ tools }: ListToolsResult): ListToolsResult {
  const _meta = { ui: { resourceUri: VIEW_URI } };
  return { tools: tools.map((tool) => (SHOWN.includes(tool.name) ? { ...tool, _meta } : tool)) };
}

export async function readViewFile(
  read: ReadView | undefined,
  uri: string,
): Promise<ResourceText | undefined> {
  const text = uri === VIEW_URI ? await read?.() : undefined;
  if (text === undefined) return undefined;
  // No domain is declared, so the host's policy allows none either.
  const ui = { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: true };
  return { uri, mimeType: MIME_TYPE, text, _meta: { ui } };
}

import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { ToolOutput } from "../tools/tool.ts";

/** Revisions before it do not know links in a result, and their clients refuse the whole. */
const KNOWS_LINKS = "2025-06-18";

/** `revision`: what the client speaks; without it, nothing is sent that not every client knows. */
export function toResult(output: ToolOutput, revision = ""): CallToolResult {
  const { payload, structured, notes = [], links = [], isError } = output;
  const texts = [JSON.stringify(payload), ...notes];
  const content: ContentBlock[] = texts.map((text) => ({ type: "text", text }));
  if (revision >= KNOWS_LINKS) {
    content.push(...links.map((link) => ({ type: "resource_link" as const, ...link })));
  }
  return {
    content,
    ...(structured ? { structuredContent: structured as Record<string, unknown> } : {}),
    ...(isError ? { isError } : {}),
  };
}

import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";
import type { ToolOutput } from "../tools/tool.ts";

/** Earlier revisions have no links in results, and their clients would reject the whole result. */
const KNOWS_LINKS = "2025-06-18";

/** `revision`: the client's; without it, only what every client knows is sent. */
export function toResult(output: ToolOutput, revision = ""): CallToolResult {
  const { payload, structured, notes = [], links = [], images = [], isError } = output;
  const texts = [JSON.stringify(payload), ...notes];
  const content: ContentBlock[] = texts.map((text) => ({ type: "text", text }));
  for (const image of images) {
    const data = Buffer.from(image).toString("base64");
    content.push({ type: "image", data, mimeType: "image/png" });
  }
  if (revision >= KNOWS_LINKS) {
    content.push(...links.map((link) => ({ type: "resource_link" as const, ...link })));
  }
  return {
    content,
    ...(structured ? { structuredContent: structured as Record<string, unknown> } : {}),
    ...(isError ? { isError } : {}),
  };
}

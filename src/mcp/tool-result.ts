import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ToolOutput } from "../tools/tool.ts";

export function toResult({ payload, structured, notes = [], isError }: ToolOutput): CallToolResult {
  const texts = [JSON.stringify(payload), ...notes];
  return {
    content: texts.map((text) => ({ type: "text" as const, text })),
    ...(structured ? { structuredContent: structured as Record<string, unknown> } : {}),
    ...(isError ? { isError } : {}),
  };
}

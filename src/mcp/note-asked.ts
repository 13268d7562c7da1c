// Counts what clients ask, by whether anything was found. What they asked is not looked at.
import type { CallToolResult, InputRequiredResult } from "@modelcontextprotocol/server";
import type { Asked, Usage } from "../observe/usage/usage.ts";
import type { ToolCall } from "./call-tool.ts";

const KINDS: Readonly<Record<string, Asked["kind"]>> = {
  "knowledge-search": "search",
  search: "search",
  kb_answer: "answer",
};

/** The console sends it with searches that follow a person's typing. */
const TYPED = "knowledge-server/typed";

type Counter = Pick<Usage, "note"> | undefined;

export function noteAsked(
  usage: Counter,
  { tool, context, connection }: Pick<ToolCall, "tool" | "context" | "connection">,
  result: CallToolResult | InputRequiredResult,
): void {
  const kind = KINDS[tool.name];
  if (!usage || !kind || !("content" in result) || result.isError) return;
  const isTyped = context.mcpReq._meta?.[TYPED] === true;
  const typed = isTyped ? { typedBy: connection.principal.name } : {};
  usage.note({ kind, found: hasFound(result.structuredContent), ...typed });
}

function hasFound(content: unknown): boolean {
  const { results, outcome, grounded } = (content ?? {}) as Record<string, unknown>;
  if (Array.isArray(results)) return results.length > 0;
  return outcome === undefined ? grounded !== false : outcome !== "nothing";
}

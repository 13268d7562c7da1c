import type {
  CallToolResult,
  InputRequiredResult,
  Server,
  ServerContext,
} from "@modelcontextprotocol/server";
import type { Tool, ToolOutput } from "../tools/tool.ts";
import { type Connection, isFull, overloaded, type Parts, toContext } from "./call-context.ts";
import { toProtocolError } from "./errors.ts";
import { toSampling } from "./sampling.ts";

export interface ToolCall {
  readonly tool: Tool;
  readonly args: unknown;
  readonly context: ServerContext;
  readonly connection: Connection;
}

export async function callTool(
  server: Server,
  parts: Parts,
  { tool, args, context, connection }: ToolCall,
): Promise<CallToolResult | InputRequiredResult> {
  const { log, metrics, calls, toolbox } = parts;
  const started = performance.now();
  const { sample, inputNeeded } = toSampling(server, context);
  const base = toContext(server, parts, { connection, context });
  const writes = tool.effect === "write" || tool.effect === "destroy";
  const run = isFull(parts, writes)
    ? refuse(tool)
    : toolbox.run(tool, args, sample ? { ...base, sample } : base);
  calls.running += 1;
  try {
    const result = await (inputNeeded
      ? Promise.race([run.then(toResult), inputNeeded])
      : run.then(toResult));
    const outcome = "isError" in result && result.isError ? "error" : "ok";
    const ms = performance.now() - started;
    metrics.count("knowledge_tool_calls_total", "Tool calls", { tool: tool.name, outcome });
    metrics.observe("knowledge_tool_seconds", "Time of tool calls", ms / 1000, { tool: tool.name });
    const rounded = Math.round(ms * 100) / 100;
    log.info("mcp.call", { request: base.request, tool: tool.name, outcome, ms: rounded });
    return result;
  } catch (thrown) {
    log.error("mcp.call-failed", { request: base.request, tool: tool.name, error: thrown });
    throw toProtocolError(thrown);
  } finally {
    base.end();
    calls.running -= 1;
  }
}

async function refuse(tool: Tool): Promise<ToolOutput> {
  const payload = tool.toError(overloaded());
  return { payload, structured: payload, isError: true };
}

function toResult({ payload, structured, notes = [], isError }: ToolOutput): CallToolResult {
  const texts = [JSON.stringify(payload), ...notes];
  return {
    content: texts.map((text) => ({ type: "text" as const, text })),
    ...(structured ? { structuredContent: structured as Record<string, unknown> } : {}),
    ...(isError ? { isError } : {}),
  };
}

import type {
  CallToolResult,
  InputRequiredResult,
  Server,
  ServerContext,
} from "@modelcontextprotocol/server";
import { toAsked } from "../observe/usage/asked.ts";
import type { CallContext, Tool, ToolOutput } from "../tools/tool.ts";
import { toConfirming } from "./asking/confirming.ts";
import { toSampling } from "./asking/sampling.ts";
import { type Connection, isFull, overloaded, type Parts, toContext } from "./call-context.ts";
import { toProtocolError } from "./errors.ts";
import { asTask, type TaskWords, taskOf, taskWordsOf, toCreated } from "./extensions/tasks.ts";
import { toResult } from "./tool-result.ts";

export interface ToolCall {
  readonly tool: Tool;
  readonly args: unknown;
  /** As the request has it: revision 2025-11-25 asks for a task by it. */
  readonly task: unknown;
  readonly context: ServerContext;
  readonly connection: Connection;
}

type Called = CallToolResult | InputRequiredResult;

export async function callTool(server: Server, parts: Parts, called: ToolCall): Promise<Called> {
  const { metrics, calls } = parts;
  const { tool, context, connection } = called;
  const words = taskWordsOf(server, context, called);
  const started = performance.now();
  const base = toContext(server, parts, { connection, context });
  calls.running += 1;
  calls.ofTools += 1;
  try {
    const result = await run(server, parts, { ...called, base, words });
    const outcome = "isError" in result && result.isError ? "error" : "ok";
    const ms = performance.now() - started;
    metrics.count("knowledge_tool_calls_total", "Tool calls", { tool: tool.name, outcome });
    metrics.observe("knowledge_tool_seconds", "Time of tool calls", ms / 1000, { tool: tool.name });
    const rounded = Math.round(ms * 100) / 100;
    if (outcome === "ok") noteAsked(parts, called, result);
    base.log.info("mcp.call", { tool: tool.name, outcome, ms: rounded });
    return result;
  } catch (thrown) {
    base.log.error("mcp.call-failed", { tool: tool.name, error: thrown });
    throw toProtocolError(thrown);
  } finally {
    base.end();
    calls.running -= 1;
  }
}

function noteAsked({ usage }: Parts, { tool, context, connection }: ToolCall, result: Called) {
  if (!usage || !("content" in result)) return;
  const { name: who } = connection.principal;
  const { structuredContent: content } = result;
  const asked = toAsked({ tool: tool.name, who, meta: context.mcpReq._meta, content });
  if (asked) usage.note(asked);
}

interface Run extends ToolCall {
  readonly base: CallContext;
  readonly words: TaskWords | undefined;
}

async function run(server: Server, parts: Parts, { base, words, ...called }: Run): Promise<Called> {
  const { tool, args, context } = called;
  if (isOverloaded(parts, tool)) return toResult(refusal(tool));
  const { sample, inputNeeded } = toSampling(server, context);
  const { confirm, unanswered } = toConfirming(server, context);
  const call = { ...base, ...(sample && { sample }), ...(confirm && { confirm }) };
  if (words !== undefined) {
    const quiet = { ...call, progress: () => {}, taskProgress: () => {} };
    const output = await parts.toolbox.run(tool, asTask(args), quiet);
    const task = await taskOf(parts, output, quiet);
    return task ? toCreated(words, task) : toResult(output);
  }
  const ran = parts.toolbox
    .run(tool, args, call)
    .then((output) => unanswered() ?? toResult(output, server.getNegotiatedProtocolVersion()));
  return inputNeeded ? Promise.race([ran, inputNeeded]) : ran;
}

// Counted before this call itself was.
function isOverloaded(parts: Parts, { effect }: Tool): boolean {
  const others = { ...parts, calls: { ...parts.calls, running: parts.calls.running - 1 } };
  return isFull(others, effect === "write" || effect === "destroy");
}

function refusal(tool: Tool): ToolOutput {
  const payload = tool.toError(overloaded());
  return { payload, structured: payload, isError: true };
}

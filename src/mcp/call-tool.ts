import type {
  CallToolResult,
  InputRequiredResult,
  Server,
  ServerContext,
} from "@modelcontextprotocol/server";
import { toAsked } from "../observe/usage/asked.ts";
import type { CallContext, Tool, ToolOutput } from "../tools/tool.ts";
import { type Connection, isFull, overloaded, type Parts, toContext } from "./call-context.ts";
import { toConfirming } from "./client-requests/confirming.ts";
import { toSampling } from "./client-requests/sampling.ts";
import { toProtocolError } from "./errors.ts";
import { capabilitiesOf } from "./extensions/negotiated.ts";
import { asTask, type TaskForm, taskFormOf, taskOf, toCreated } from "./extensions/tasks.ts";
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
  const { calls } = parts;
  const { tool, task, context, connection } = called;
  const isTask = tool.startsTask || task !== undefined;
  const form = isTask ? taskFormOf(server, context, called) : undefined;
  const started = performance.now();
  const base = toContext(server, parts, { connection, context });
  const isOverloaded = isFull(parts, tool.effect);
  calls.running += 1;
  calls.ofTools += 1;
  try {
    const result = isOverloaded
      ? toResult(refusal(tool))
      : await run(server, parts, called, { base, form });
    const done = { result, marks: base.marks, ms: performance.now() - started };
    // After the response is sent, so that no caller waits for the log.
    setImmediate(() => note(parts, called, done));
    return result;
  } catch (thrown) {
    base.log.error("mcp.call-failed", { tool: tool.name, error: thrown });
    throw toProtocolError(thrown);
  } finally {
    base.end();
    calls.running -= 1;
  }
}

interface Done {
  readonly result: Called;
  readonly marks: Readonly<Record<string, string>>;
  readonly ms: number;
}

function note(parts: Parts, called: ToolCall, { result, marks, ms }: Done): void {
  const { metrics, log, usage } = parts;
  const { tool, context, connection } = called;
  const isError = "isError" in result && result.isError === true;
  const ended = { tool: tool.name, outcome: isError ? "error" : "ok" };
  metrics.count("knowledge_tool_calls_total", "Tool calls", ended);
  metrics.observe("knowledge_tool_seconds", "Time of tool calls", ms / 1000, { tool: tool.name });
  if (usage && !isError && "content" in result) {
    const { structuredContent: content } = result;
    const who = connection.principal.name;
    const asked = toAsked({ tool: tool.name, who, meta: context.mcpReq._meta, content });
    if (asked) usage.note(asked);
  }
  log.info("mcp.call", { ...marks, ...ended, ms: Math.round(ms * 100) / 100 });
}

interface RunAs {
  readonly base: CallContext;
  readonly form: TaskForm | undefined;
}

async function run(
  server: Server,
  parts: Parts,
  { tool, args, context }: ToolCall,
  { base, form }: RunAs,
): Promise<Called> {
  const { sampling, elicitation } = capabilitiesOf(server, context);
  const model = sampling && toSampling(context);
  const person = elicitation && toConfirming(elicitation, context);
  const asking = {
    ...(model && { sample: model.sample }),
    ...(model?.ended && { signal: AbortSignal.any([base.signal, model.ended]) }),
    ...(person && { confirm: person.confirm }),
  };
  // Copied only if needed: a copy also creates another log, which few calls write to.
  const call: CallContext = model || person ? { ...base, ...asking } : base;
  if (form !== undefined) {
    const quiet = { ...call, progress: () => {}, taskProgress: () => {} };
    const output = await parts.toolbox.run(tool, asTask(args), quiet);
    const task = await taskOf(parts, output, quiet);
    return task ? toCreated(form, task) : toResult(output);
  }
  const ran = parts.toolbox
    .run(tool, args, call)
    .then(
      (output) => person?.unanswered?.() ?? toResult(output, server.getNegotiatedProtocolVersion()),
    );
  return model?.inputNeeded ? Promise.race([ran, model.inputNeeded]) : ran;
}

function refusal(tool: Tool): ToolOutput {
  const payload = tool.toError(overloaded());
  return { payload, structured: payload, isError: true };
}

import type {
  CallToolResult,
  InputRequiredResult,
  ServerContext,
} from "@modelcontextprotocol/server";
import { toCountedCall } from "../observe/usage.ts";
import type { CallContext, Tool, ToolOutput } from "../tools/tool.ts";
import { isFull, overloaded, type Serving, toContext } from "./call-context.ts";
import { toConfirming, toSampling } from "./client-requests.ts";
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
}

type Called = CallToolResult | InputRequiredResult;

export async function callTool(serving: Serving, called: ToolCall): Promise<Called> {
  const { server, parts } = serving;
  const { calls } = parts;
  const { tool, task, context } = called;
  const isTask = tool.startsTask || task !== undefined;
  const form = isTask ? taskFormOf(server, context, called) : undefined;
  const started = performance.now();
  const base = toContext(serving, context);
  const isOverloaded = isFull(parts, tool.effect);
  calls.running += 1;
  calls.ofTools += 1;
  try {
    const result = isOverloaded
      ? toResult(refusal(tool))
      : await run(serving, called, { base, form });
    const done = { result, marks: base.marks, ms: performance.now() - started };
    // After the response is sent, so that no caller waits for the log.
    setImmediate(() => note(serving, called, done));
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

function note(
  { parts, connection }: Serving,
  { tool, context }: ToolCall,
  { result, marks, ms }: Done,
): void {
  const { metrics, log, usage } = parts;
  const isError = "isError" in result && result.isError === true;
  const ended = { tool: tool.name, outcome: isError ? "error" : "ok" };
  metrics.count("knowledge_tool_calls_total", "Tool calls", ended);
  metrics.observe("knowledge_tool_seconds", "Time of tool calls", ms / 1000, { tool: tool.name });
  if (usage && !isError && "content" in result) {
    const { structuredContent: content } = result;
    const who = connection.principal.name;
    const asked = toCountedCall({ tool: tool.name, who, meta: context.mcpReq._meta, content });
    if (asked) usage.note(asked);
  }
  log.info("mcp.call", { ...marks, ...ended, ms: Math.round(ms * 100) / 100 });
}

interface RunAs {
  readonly base: CallContext;
  readonly form: TaskForm | undefined;
}

async function run(
  { server, parts }: Serving,
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

// Calls every tool with generated arguments and checks that each result has the contract's shape.
import type { App } from "../../src/app.ts";
import { ERRORS } from "../../src/domain/errors.ts";
import { toCatalogue } from "../../src/mcp/catalogue.ts";
import { openLog } from "../../src/observe/log.ts";
import type { Tool, ToolOutput } from "../../src/tools/tool.ts";
import { callContext } from "../../test/support/call-context.ts";
import { toolArguments } from "./arguments.ts";
import { openRandom } from "./random.ts";
import type { FuzzRun } from "./run.ts";

export interface ToolFuzz extends FuzzRun {
  readonly app: App;
  readonly known: readonly [string, ...string[]];
}

export interface ToolFuzzReport {
  readonly calls: number;
  /** Successful calls by tool: a run in which all are refused tests little. */
  readonly done: Readonly<Record<string, number>>;
  readonly refused: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
}

const CODES = new Set(Object.keys(ERRORS).map((code) => code.toLowerCase()));
const ANSWER_ERRORS = ["AuthenticationError", "NotFoundError", "ValidationError", "ServiceError"];

export async function fuzzTools({
  app,
  count,
  seconds,
  seed,
  known,
}: ToolFuzz): Promise<ToolFuzzReport> {
  const random = openRandom(seed);
  const schemas = new Map(
    toCatalogue(app).tools.tools.map((tool) => [tool.name, tool.inputSchema]),
  );
  const until = Date.now() + seconds * 1_000;
  const done: Record<string, number> = {};
  const refused: Record<string, number> = {};
  const faults: string[] = [];
  let calls = 0;
  while (calls < count && Date.now() < until) {
    const tool = random.pick(app.tools as readonly [Tool, ...Tool[]]);
    const args = toolArguments(schemas.get(tool.name) ?? {}, random, known);
    const inner: string[] = [];
    const log = openLog({ level: "error", write: (line) => inner.push(line) });
    const context = callContext({ signal: AbortSignal.timeout(200_000), log });
    calls += 1;
    try {
      const output = await app.run(tool, args, context);
      const counted = output.isError ? refused : done;
      counted[tool.name] = (counted[tool.name] ?? 0) + 1;
      const problem = inner[0] ?? problemOf(tool, output);
      if (problem) faults.push(`${tool.name} ${JSON.stringify(args).slice(0, 300)}: ${problem}`);
    } catch (error) {
      faults.push(`${tool.name} ${JSON.stringify(args).slice(0, 300)} threw ${String(error)}`);
    }
  }
  return { calls, done, refused, faults };
}

function problemOf(tool: Tool, { payload, structured, isError }: ToolOutput): string | undefined {
  if (JSON.stringify(payload) === undefined) return "no payload";
  if (isError) return isErrorShape(tool, payload) ? undefined : `error ${JSON.stringify(payload)}`;
  const parsed = tool.output?.success.safeParse(structured);
  return parsed?.success === false ? `does not fit: ${parsed.error.message}` : undefined;
}

function isErrorShape(tool: Tool, payload: unknown): boolean {
  const { success, error, error_type, message, status } = payload as Record<string, unknown>;
  if (tool.family === "file") return status === "error" || status === "unavailable";
  if (typeof message !== "string" || message === "") return false;
  if (tool.family === "answers")
    return error === true && ANSWER_ERRORS.includes(String(error_type));
  return success === false && CODES.has(String(error)) && error !== "internal";
}

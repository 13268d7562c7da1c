// The tools of the tests' toolbox: each shows one thing that a call can do.
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { type CallContext, defineTool, type Tool } from "../../src/tools/tool.ts";

interface Watched {
  readonly started: string[];
  readonly aborted: string[];
  /** Until then `hold` runs. */
  readonly released: Promise<void>;
}

type Effect = Tool["effect"];
type Run = (args: Record<string, unknown>, context: CallContext) => Promise<unknown>;

export function testTools({ started, aborted, released }: Watched): readonly Tool[] {
  const tool = (name: string, effect: Effect, run: Run) =>
    plainTool(name, effect, (args, context) => {
      started.push(name);
      return run(args, context);
    });
  return [
    tool("echo", "read", async ({ text }) => ({ text })),
    tool("who", "read", async (_args, { principal }) => ({ name: principal.name })),
    tool("destroy", "destroy", async () => ({ destroyed: true })),
    tool("fail", "read", async () => {
      throw new Error("secret inner detail");
    }),
    tool("steps", "read", async (_args, { progress }) => {
      for (const done of [1, 2, 3]) {
        progress({ progress: done, total: 3, message: `step ${done}` });
      }
      return { steps: 3 };
    }),
    tool("task", "write", async (_args, { taskProgress }) => {
      setTimeout(() => taskProgress("task-1", { progress: 1, total: 2, message: "half" }), 50);
      return { task_id: "task-1" };
    }),
    tool("ask", "read", async (_args, { sample, signal }) => {
      if (!sample) return { reply: "no model" };
      return {
        reply: await sample(
          { system: "Be brief.", user: "Capital of France?", maxTokens: 20 },
          signal,
        ),
      };
    }),
    tool("hold", "read", async () => {
      await released;
      return { held: true };
    }),
    tool("slow", "read", async (_args, { signal }) => {
      signal.addEventListener("abort", () => aborted.push("slow"));
      await wait(60_000, undefined, { signal });
      return { slow: true };
    }),
  ];
}

const SHAPES = {
  input: z.object({ text: z.string().max(1_000_000).optional() }),
  success: z.looseObject({}),
  failure: z.looseObject({}),
};

function plainTool(name: string, effect: Effect, run: Run): Tool {
  return defineTool({
    contract: { ...SHAPES, name },
    textOnly: true,
    title: name,
    family: "documents",
    effect,
    description: name,
    toError: ({ code, message }) => ({ success: false, error: code.toLowerCase(), message }),
    run: async (args, context) => {
      const payload = (await run(args, context)) as Record<string, unknown>;
      return { payload, structured: payload };
    },
  });
}

// A toolbox of a few tools that show what a connection can do, without any room behind them.
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import type { Change, Toolbox } from "../../src/tools/offer.ts";
import { runTool } from "../../src/tools/run-tool.ts";
import {
  type CallContext,
  defineTool,
  type Tool,
  type ToolDefinition,
} from "../../src/tools/tool.ts";

export interface TestToolbox extends Toolbox {
  tell(change: Change): void;
  readonly cancelledTasks: string[];
  /** Names of calls whose signal was aborted. */
  readonly aborted: string[];
}

type Run = (args: Record<string, unknown>, context: CallContext) => Promise<unknown>;

export function openToolbox(): TestToolbox {
  const listeners = new Set<(change: Change) => void>();
  const cancelledTasks: string[] = [];
  const aborted: string[] = [];
  const tools = testTools(aborted);
  return {
    instructions: "Tools for tests.",
    tools,
    resources: [
      {
        uri: "test://fixed",
        name: "fixed",
        title: "Fixed",
        description: "A resource for tests",
        mimeType: "text/plain",
        read: async () => [{ uri: "test://fixed", mimeType: "text/plain", text: "fixed" }],
      },
    ],
    templates: [
      {
        uriTemplate: "test://items/{id}",
        name: "item",
        title: "Item",
        description: "An item for tests",
        mimeType: "text/plain",
        list: async (cursor) => ({
          resources: [
            {
              uri: `test://items/${cursor ?? "a"}`,
              name: "item",
              title: "Item",
              mimeType: "text/plain",
            },
          ],
          ...(cursor === undefined ? { next: "b" } : {}),
        }),
        read: async (uri, { id }) => [{ uri, mimeType: "text/plain", text: `item ${id}` }],
        complete: { id: (prefix) => ["alpha", "beta"].filter((each) => each.startsWith(prefix)) },
      },
    ],
    prompts: [
      {
        name: "greet",
        title: "Greet",
        description: "Greets",
        arguments: [{ name: "who", description: "Whom", required: true }],
        render: async ({ who }) => [{ role: "user", text: `Greet ${who}.` }],
      },
    ],
    checks: [],
    operations: {},
    tool: (name) => tools.find((tool) => tool.name === name),
    run: runTool,
    call: () => Promise.reject(new Error("not used here")),
    async cancelTask(taskId) {
      cancelledTasks.push(taskId);
      return taskId === "known";
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    tell: (change) => {
      for (const listener of listeners) listener(change);
    },
    cancelledTasks,
    aborted,
  };
}

function testTools(aborted: string[]): readonly Tool[] {
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
        // The client drops progress that it reads in one go with the result.
        await wait(20);
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
    tool("slow", "read", async (_args, { signal }) => {
      signal.addEventListener("abort", () => aborted.push("slow"));
      await wait(5_000, undefined, { signal });
      return { slow: true };
    }),
  ];
}

function tool(name: string, effect: ToolDefinition<z.ZodObject>["effect"], run: Run): Tool {
  return defineTool({
    name,
    title: name,
    family: "documents",
    effect,
    description: name,
    input: z.object({ text: z.string().max(1_000_000).optional() }),
    toError: ({ code, message }) => ({ success: false, error: code.toLowerCase(), message }),
    run: async (args, context) => {
      const payload = (await run(args, context)) as Record<string, unknown>;
      return { payload, structured: payload };
    },
  });
}

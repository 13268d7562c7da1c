// A toolbox of a few tools that show what a connection can do, without any room behind them.

import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { openTracing } from "../../src/observe/tracing.ts";
import type { Change, Toolbox, ToolFamily } from "../../src/tools/family.ts";
import { type CallContext, defineTool, type Tool } from "../../src/tools/tool.ts";
import { openToolbox as openRealToolbox } from "../../src/tools/toolbox.ts";
import { testAccess } from "./access-control.ts";
import { someOperations } from "./operations.ts";
import { testSights } from "./sights.ts";
import { silentLog } from "./silent-log.ts";

export interface TestToolbox extends Toolbox {
  notify(change: Change): void;
  readonly cancelledTasks: string[];
  /** Names of calls that have begun, in their order. */
  readonly started: string[];
  /** Names of calls whose signal was aborted. */
  readonly aborted: string[];
  /** Lets every call of `hold` end. */
  release(): void;
}

export function openToolbox(): TestToolbox {
  const listeners = new Set<(change: Change) => void>();
  const cancelledTasks: string[] = [];
  const started: string[] = [];
  const aborted: string[] = [];
  const hold = Promise.withResolvers<void>();
  const family: ToolFamily = {
    ...testFamily(),
    tools: testTools({ started, aborted, released: hold.promise }),
    async cancelTask(taskId) {
      cancelledTasks.push(taskId);
      return taskId === "known";
    },
  };
  return {
    ...openRealToolbox({
      families: [family],
      offered: [family.name],
      operations: () => someOperations(),
      sights: testSights(),
      access: testAccess(),
      tracing: openTracing(),
      onChange(listener) {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      log: silentLog(),
    }),
    notify: (change) => {
      for (const listener of listeners) listener(change);
    },
    cancelledTasks,
    started,
    aborted,
    release: hold.resolve,
  };
}

function testFamily(): ToolFamily {
  return {
    name: "documents",
    instructions: "Tools for tests.",
    tools: [],
    resources: [
      {
        uri: "test://fixed",
        name: "fixed",
        title: "Fixed",
        description: "A resource for tests",
        mimeType: "text/plain",
        read: async () => "fixed",
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
        read: async ({ id }) => `item ${id}`,
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
  };
}

interface Watched {
  readonly started: string[];
  readonly aborted: string[];
  /** Until then `hold` runs. */
  readonly released: Promise<void>;
}

type Effect = Tool["effect"];
type Run = (args: Record<string, unknown>, context: CallContext) => Promise<unknown>;

function testTools({ started, aborted, released }: Watched): readonly Tool[] {
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

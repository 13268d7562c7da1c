// The tools that the official suite calls as tasks, with tasks that live in memory, behind this project's own protocol.
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { type Mcp, openMcp } from "../../../src/mcp/mcp.ts";
import { openMetrics } from "../../../src/observe/metrics.ts";
import { openTracing } from "../../../src/observe/tracing.ts";
import type { TaskView, ToolFamily } from "../../../src/tools/family.ts";
import { defineTool, type Tool } from "../../../src/tools/tool.ts";
import { openToolbox } from "../../../src/tools/toolbox.ts";
import { testAccess } from "../../support/access-control.ts";
import { someOperations } from "../../support/operations.ts";
import { testSights } from "../../support/sights.ts";
import { silentLog } from "../../support/silent-log.ts";

const SHAPES = { success: z.looseObject({}), failure: z.looseObject({}) };
const KEPT_MS = 60_000;

export function openTaskFixture(): Mcp {
  const begun = new Map<string, { readonly endsAt: number; isCancelled: boolean }>();
  const family: ToolFamily = {
    name: "documents",
    instructions: "Tools for the official suite.",
    tools: [
      tool("greet", { name: z.string() }, async ({ name }) => `Hello, ${name}!`),
      tool(
        "slow_compute",
        { seconds: z.number(), async: z.boolean().default(false) },
        async (args) => {
          if (!args["async"]) return { waited: true };
          const task_id = randomUUID();
          begun.set(task_id, {
            endsAt: Date.now() + Number(args["seconds"]) * 1_000,
            isCancelled: false,
          });
          return { task_id };
        },
      ),
    ],
    async task(id) {
      const found = begun.get(id);
      if (!found) return undefined;
      return toView(id, found);
    },
    async cancelTask(id) {
      const found = begun.get(id);
      if (found) found.isCancelled = true;
      return found !== undefined;
    },
  };
  const toolbox = openToolbox({
    families: [family],
    offered: ["documents"],
    operations: () => someOperations(),
    sights: testSights(),
    access: testAccess(),
    tracing: openTracing(),
    onChange: () => () => {},
    log: silentLog(),
  });
  return openMcp(toolbox, { version: "0", log: silentLog(), metrics: openMetrics() });
}

function toView(id: string, { endsAt, isCancelled }: { endsAt: number; isCancelled: boolean }) {
  const createdAt = new Date(endsAt).toISOString();
  const view = { id, createdAt, updatedAt: createdAt, keptMs: KEPT_MS, message: "" };
  if (isCancelled) return { ...view, status: "cancelled" } satisfies TaskView;
  if (Date.now() < endsAt) return { ...view, status: "working" } satisfies TaskView;
  return { ...view, status: "ended", output: { payload: { done: true } } } satisfies TaskView;
}

type Run = (args: Readonly<Record<string, unknown>>) => Promise<unknown>;

function tool(name: string, input: z.ZodRawShape, run: Run): Tool {
  return {
    ...defineTool({
      contract: { ...SHAPES, name, input: z.object(input) },
      textOnly: true,
      title: name,
      family: "documents",
      effect: "write",
      ...("async" in input && { startsTask: true }),
      description: name,
      toError: ({ message }) => ({ message }),
      run: async (args) => ({ payload: (await run(args)) as Record<string, unknown> }),
    }),
  };
}

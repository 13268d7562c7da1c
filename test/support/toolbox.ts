// A toolbox of a few tools that show what a connection can do, without any room behind them.

import { openTracing } from "../../src/observe/tracing.ts";
import type { Change, Toolbox, ToolFamily } from "../../src/tools/family.ts";
import { openToolbox as openRealToolbox } from "../../src/tools/toolbox.ts";
import { testAccess } from "./access-control.ts";
import { someOperations } from "./operations.ts";
import { silentLog } from "./silent-log.ts";
import { testTools } from "./test-tools.ts";

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
      operations: someOperations(),
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

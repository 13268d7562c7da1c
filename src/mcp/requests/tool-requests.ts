import type { Server } from "@modelcontextprotocol/server";
import type { CallContext } from "../../tools/tool.ts";
import { type Connection, type Parts, runRequest, toContext } from "../call-context.ts";
import { callTool } from "../call-tool.ts";
import { invalidParams } from "../errors.ts";
import { hasApps, withViews } from "../extensions/apps.ts";
import { capabilitiesOf, hasCoreTasks } from "../extensions/negotiated.ts";
import { ANY, CALL, CANCEL, LIST, readParams } from "../params.ts";

export function offerTools(server: Server, parts: Parts, connection: Connection): void {
  const { toolbox, catalogue } = parts;
  server.setRequestHandler("tools/list", ANY, (params, context) =>
    runRequest(parts, { context, connection, server }, async () => {
      readParams(LIST, params);
      const tools = hasCoreTasks(server) ? catalogue.taskTools : catalogue.tools;
      const shows = parts.readView && hasApps(capabilitiesOf(server, context));
      return shows ? withViews(tools) : tools;
    }),
  );
  server.setRequestHandler("tools/call", ANY, async (params, context) => {
    const { name, arguments: args, task } = readParams(CALL, params);
    const tool = toolbox.tool(name);
    if (!tool) {
      await toolbox.recordUnoffered(name, args, connection.principal);
      throw invalidParams("unknown_tool", "There is no such tool. See tools/list.");
    }
    return callTool(server, parts, { tool, args, task, context, connection });
  });
  const cancel = async ({ taskId }: { taskId: string }, context: CallContext) => ({
    taskId,
    cancelled: await toolbox.cancelTask(taskId, context),
  });
  server.setRequestHandler("tools/cancel", ANY, (params, context) =>
    runRequest(parts, { context, connection, server, right: "write" }, async (call) =>
      cancel(readParams(CANCEL, params), call),
    ),
  );
  server.setNotificationHandler("tools/cancel", ANY, async (params) => {
    // Nobody waits for the outcome of a notification; a refusal has been logged.
    const call = toContext(server, parts, { connection });
    await cancel(readParams(CANCEL, params), call).catch((error: unknown) => {
      parts.log.debug("mcp.cancel-failed", { error });
    });
  });
}

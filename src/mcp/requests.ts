// The methods of the protocol's core, beside those of the extensions.
import type { CallContext } from "../tools/tool.ts";
import { runRequest, type Serving, serve, toContext } from "./call-context.ts";
import { callTool } from "./call-tool.ts";
import { invalidParams } from "./errors.ts";
import { hasApps, readViewFile, withViews } from "./extensions/apps.ts";
import { capabilitiesOf, hasCoreTasks } from "./extensions/negotiated.ts";
import { ANY, CALL, CANCEL, COMPLETE, GET_PROMPT, LIST, RESOURCE, readParams } from "./params.ts";
import type { SubscriptionList } from "./subscriptions.ts";

export function offerTools(serving: Serving): void {
  const { server, parts, connection } = serving;
  const { toolbox, catalogue } = parts;
  // A tool that the caller has no right to is refused anyway, and every conversation pays for the list.
  const mayCall = (name: string) => {
    const tool = toolbox.tool(name);
    return tool !== undefined && toolbox.mayCall(connection.principal, tool);
  };
  serve(serving, "tools/list", LIST, async (_params, _call, context) => {
    const { tools: all } = hasCoreTasks(server) ? catalogue.taskTools : catalogue.tools;
    const tools = { tools: all.filter(({ name }) => mayCall(name)) };
    const shows = parts.readView && hasApps(capabilitiesOf(server, context));
    return shows ? withViews(tools) : tools;
  });
  server.setRequestHandler("tools/call", ANY, async (params, context) => {
    const { name, arguments: args, task } = readParams(CALL, params);
    const tool = toolbox.tool(name);
    if (!tool) {
      await toolbox.recordUnoffered(name, args, connection.principal);
      throw invalidParams("unknown_tool", "There is no such tool. See tools/list.");
    }
    return callTool(serving, { tool, args, task, context });
  });
  const cancel = async (params: unknown, call: CallContext) => {
    const { taskId } = readParams(CANCEL, params);
    return { taskId, cancelled: await toolbox.cancelTask(taskId, call) };
  };
  server.setRequestHandler("tools/cancel", ANY, (params, context) =>
    runRequest(serving, { context, right: "write" }, (call) => cancel(params, call)),
  );
  server.setNotificationHandler("tools/cancel", ANY, async (params) => {
    // Nobody waits for the outcome of a notification; a refusal has been logged.
    await cancel(params, toContext(serving)).catch((error: unknown) => {
      parts.log.debug("mcp.cancel-failed", { error });
    });
  });
}

export function offerResources(serving: Serving): void {
  const { server, parts } = serving;
  const { catalogue, resources } = parts;
  serve(serving, "resources/templates/list", LIST, async () => catalogue.templates);
  serve(serving, "resources/list", LIST, ({ cursor }, call) => resources.list(cursor, call));
  server.setRequestHandler("resources/read", ANY, async (params, context) => {
    const { uri } = readParams(RESOURCE, params);
    return runRequest(serving, { context, uri }, async (call) => {
      const view = await readViewFile(parts.readView, uri);
      return { contents: [view ?? (await resources.read(uri, call))] };
    });
  });
  serve(serving, "completion/complete", COMPLETE, async (request, call) => ({
    completion: { ...(await resources.complete(request, call)) },
  }));
}

export function offerPrompts(serving: Serving): void {
  const { catalogue, toolbox } = serving.parts;
  serve(serving, "prompts/list", LIST, async () => catalogue.prompts);
  serve(serving, "prompts/get", GET_PROMPT, async ({ name, arguments: args = {} }, call) => {
    const prompt = toolbox.prompts.find((each) => each.name === name);
    if (!prompt) throw invalidParams("unknown_prompt", "There is no such prompt.");
    const missing = prompt.arguments.find((each) => each.required && !args[each.name]);
    if (missing) {
      const message = `The argument '${missing.name}' is required.`;
      throw invalidParams("missing_required_parameter", message);
    }
    const messages = await prompt.render(args, call);
    return {
      description: prompt.description,
      messages: messages.map(({ role, text }) => ({ role, content: { type: "text", text } })),
    };
  });
}

/** What the connection's client has subscribed to. */
export function offerSubscriptions(serving: Serving): SubscriptionList {
  const { parts, connection } = serving;
  const subscribed = parts.subscriptions.open(connection.principal);
  serve(serving, "resources/subscribe", RESOURCE, async ({ uri }) => {
    // Nothing could reach the client, and the state shared by all bare requests would only grow.
    if (!connection.lasting) throw invalidParams("no_session", "Subscribing needs a session.");
    subscribed.add([uri]);
    return {};
  });
  serve(serving, "resources/unsubscribe", RESOURCE, async ({ uri }) => {
    subscribed.remove(uri);
    return {};
  });
  return subscribed;
}

// What a running request sees of its connection, and the frame around every request that is not a tool call.
import type { Server, ServerContext } from "@modelcontextprotocol/server";
import type { Principal } from "../domain/principal.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { Toolbox } from "../tools/offer.ts";
import type { CallContext, ToolProgress } from "../tools/tool.ts";
import type { Catalogue } from "./catalogue.ts";
import { toProtocolError } from "./errors.ts";
import type { Resources } from "./resources.ts";

/** One client's connection, or all requests of one principal where HTTP keeps no connection. */
export interface Connection {
  readonly transport: "stdio" | "http" | "websocket";
  readonly principal: Principal;
  /** False where nothing can reach the client between its requests. */
  readonly lasting: boolean;
}

export interface McpOptions {
  readonly version: string;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** What all connections share. */
export interface Parts extends McpOptions {
  readonly toolbox: Toolbox;
  readonly catalogue: Catalogue;
  readonly resources: Resources;
  readonly calls: { running: number; count: number };
}

interface Asked {
  readonly context: ServerContext;
  readonly connection: Connection;
  readonly server: Server;
  readonly uri?: string;
}

export async function answer<Result>(
  parts: Parts,
  { context, connection, server, uri }: Asked,
  work: (call: CallContext) => Promise<Result>,
): Promise<Result> {
  const started = performance.now();
  const call = toContext(server, parts, { connection, context });
  const finish = (outcome: string, error?: unknown) =>
    call.log.info("mcp.request", {
      method: context.mcpReq.method,
      outcome,
      ms: Math.round((performance.now() - started) * 100) / 100,
      ...(error === undefined ? {} : { error }),
    });
  parts.calls.running += 1;
  try {
    const result = await work(call);
    finish("ok");
    return result;
  } catch (thrown) {
    finish("error", thrown);
    throw toProtocolError(thrown, uri);
  } finally {
    parts.calls.running -= 1;
  }
}

export interface ContextParts {
  readonly connection: Connection;
  readonly context?: ServerContext;
}

export function toContext(
  server: Server,
  parts: Parts,
  { connection, context }: ContextParts,
): CallContext & { readonly request: string } {
  const { principal, transport, lasting } = connection;
  const request = `${transport}-${++parts.calls.count}`;
  const progressToken = context?.mcpReq._meta?.progressToken;
  const notify = context?.mcpReq.notify;
  let log: Log | undefined;
  return {
    principal,
    request,
    signal: context?.mcpReq.signal ?? new AbortController().signal,
    // Few calls write more than their own line.
    get log() {
      log ??= parts.log.with({ request });
      return log;
    },
    progress: (progress) => {
      if (progressToken === undefined || !notify) return;
      notify(toNotification(progressToken, progress)).catch(() => {});
    },
    taskProgress: (taskId, progress) => {
      if (lasting) server.notification(toNotification(taskId, progress)).catch(() => {});
    },
  };
}

function toNotification(progressToken: string | number, progress: ToolProgress) {
  return { method: "notifications/progress" as const, params: { progressToken, ...progress } };
}

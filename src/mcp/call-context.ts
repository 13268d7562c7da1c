// What a running request sees of its connection; and `serve`, through which every request runs that is not a tool call.
import type { Result, Server, ServerContext } from "@modelcontextprotocol/server";
import type { z } from "zod";
import type { Principal, Right } from "../domain/call/principal.ts";
import { toTrace } from "../domain/call/trace.ts";
import { defined } from "../domain/defined.ts";
import { KnowledgeError } from "../domain/errors.ts";
import type { Log } from "../observe/log.ts";
import type { Metrics } from "../observe/metrics.ts";
import type { RecentClients } from "../observe/recent-clients.ts";
import type { Usage } from "../observe/usage.ts";
import type { Toolbox } from "../tools/family.ts";
import type { CallContext, Tool, ToolProgress } from "../tools/tool.ts";
import type { Catalogue } from "./catalogue.ts";
import { toProtocolError } from "./errors.ts";
import type { ReadView } from "./extensions/apps.ts";
import { ANY, readParams } from "./params.ts";
import type { Resources } from "./resources.ts";
import type { Subscriptions } from "./subscriptions.ts";

/** One client's connection, or all requests of one principal if HTTP keeps no connection. */
export interface Connection {
  readonly transport: "stdio" | "http" | "websocket";
  readonly principal: Principal;
  /** False if nothing can reach the client between its requests. */
  readonly lasting: boolean;
}

export interface McpOptions {
  readonly version: string;
  readonly log: Log;
  readonly metrics: Metrics;
  /** A client has introduced itself. */
  readonly clients?: Pick<RecentClients, "note"> | undefined;
  /** Counts what is asked. */
  readonly usage?: Pick<Usage, "note"> | undefined;
  /** Requests running at once, over all connections; more are refused. */
  readonly maxCalls?: number;
  /** The page for hosts that show results inside the conversation. */
  readonly readView?: ReadView;
}

// As many as 2 cores can serve within seconds; a longer queue helps nobody.
const MAX_CALLS = 256;

/** What all connections share. */
export interface Parts extends McpOptions {
  readonly toolbox: Toolbox;
  readonly catalogue: Catalogue;
  readonly resources: Resources;
  readonly calls: { running: number; count: number; ofTools: number };
  readonly subscriptions: Subscriptions;
}

/** One connection's protocol server. */
export interface Serving {
  readonly server: Server;
  readonly parts: Parts;
  readonly connection: Connection;
}

interface RequestFrame {
  readonly context: ServerContext;
  readonly uri?: string;
  /** The right that the principal needs; read if absent. */
  readonly right?: Right;
}

/** Serves a method whose parameters have this shape. */
export function serve<Schema extends z.ZodType>(
  serving: Serving,
  method: string,
  schema: Schema,
  work: (params: z.output<Schema>, call: CallContext, context: ServerContext) => Promise<Result>,
): void {
  serving.server.setRequestHandler(method, ANY, (params, context) =>
    runRequest(serving, { context }, (call) => work(readParams(schema, params), call, context)),
  );
}

/** The share of places for writes: under load, reads continue while writes are refused. */
const WRITE_SHARE = 0.5;

export function isFull(
  { calls, maxCalls = MAX_CALLS }: Parts,
  effect: Tool["effect"] = "read",
): boolean {
  const isWrite = effect === "write" || effect === "destroy";
  return calls.running >= (isWrite ? maxCalls * WRITE_SHARE : maxCalls);
}

export function overloaded(): KnowledgeError {
  return new KnowledgeError("OVERLOADED", "The server is overloaded. Try again in a moment.", {
    details: { retry_after_seconds: 1 },
  });
}

/** Checks rights and load, runs the request, logs one line and turns a failure into a protocol error. */
export async function runRequest(
  serving: Serving,
  { context, uri, right = "read" }: RequestFrame,
  work: (call: CallContext) => Promise<Result>,
): Promise<Result> {
  const { parts, connection } = serving;
  const started = performance.now();
  const call = toContext(serving, context);
  const finish = (outcome: string, error?: unknown) =>
    call.log.info("mcp.request", {
      method: context.mcpReq.method,
      outcome,
      ms: Math.round((performance.now() - started) * 100) / 100,
      ...defined({ error }),
    });
  const refusal = refusalOf(parts, connection.principal, right);
  parts.calls.running += 1;
  try {
    if (refusal) throw refusal;
    const result = await work(call);
    finish("ok");
    return result;
  } catch (thrown) {
    finish("error", thrown);
    throw toProtocolError(thrown, uri);
  } finally {
    call.end();
    parts.calls.running -= 1;
  }
}

function refusalOf(parts: Parts, who: Principal, right: Right): KnowledgeError | undefined {
  // The only other requests cancel tasks: access control refuses and audits them, and they run even if the server is
  // full, because they free capacity.
  if (right !== "read") return undefined;
  return parts.toolbox.refusal(who, right) ?? (isFull(parts) ? overloaded() : undefined);
}

interface RunningCall {
  /** What every line of the call has in the log. */
  readonly marks: Readonly<Record<string, string>>;
  readonly end: () => void;
}

export function toContext(
  { server, parts, connection }: Serving,
  context?: ServerContext,
): CallContext & RunningCall {
  const { principal, transport, lasting } = connection;
  const request = `${transport}-${++parts.calls.count}`;
  const meta = context?.mcpReq._meta;
  const progressToken = meta?.progressToken;
  const notify = context?.mcpReq.notify;
  const trace = meta && toTrace(meta);
  const marks = { request, ...(trace && { trace: trace.id }) };
  const state: { log?: Log; isOpen: boolean } = { isOpen: true };
  return {
    principal,
    marks,
    ...(trace && { trace }),
    signal: context?.mcpReq.signal ?? new AbortController().signal,
    // Few calls log more than one line.
    get log() {
      state.log ??= parts.log.with(marks);
      return state.log;
    },
    progress: (progress) => {
      if (progressToken === undefined || !notify || !state.isOpen) return;
      // The client has left; nobody waits for progress.
      notify(toNotification(progressToken, progress)).catch(() => {});
    },
    // The protocol forbids tokens that nobody gave: a task reports under its own id to callers who gave a token, and
    // under that token while their call is open.
    taskProgress: (taskId, progress) => {
      if (progressToken === undefined) return;
      if (state.isOpen) notify?.(toNotification(progressToken, progress)).catch(() => {});
      // The client has left; its task goes on.
      else if (lasting) server.notification(toNotification(taskId, progress)).catch(() => {});
    },
    end: () => {
      state.isOpen = false;
    },
  };
}

function toNotification(
  progressToken: string | number,
  { progress, total, message }: ToolProgress,
) {
  const params = { progressToken, progress, total, message };
  return { method: "notifications/progress" as const, params };
}

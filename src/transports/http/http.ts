// Plain node:http: the MCP endpoint, health, metrics and the console, all behind the guard.

import { createServer, type Server, type ServerOptions, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Console } from "../../console/console.ts";
import { JSON_RPC } from "../../domain/call/rpc-error.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import { type Message, type MessageCode, toMessage } from "../../domain/phrases/messages.ts";
import type { Mcp } from "../../mcp/mcp.ts";
import type { Log } from "../../observe/log.ts";
import type { Metrics } from "../../observe/metrics.ts";
import type { Guard } from "../auth/guard.ts";
import { type Limits, openLimits } from "../limits.ts";
import { openRepeatedEvents } from "../repeated-events.ts";
import { openWebSockets } from "../websocket.ts";
import { sendFault } from "./exchange.ts";
import { endUnread } from "./faults.ts";
import { openFront } from "./front.ts";
import { openMcpEndpoint } from "./mcp-endpoint.ts";
import type { Metadata } from "./routes.ts";
import type { CardOptions } from "./server-card.ts";
import { openUpgrades, UpgradableRequest } from "./upgrade.ts";

export interface HttpOptions {
  readonly host: string;
  readonly port: number;
  readonly mcp: Mcp;
  readonly guard: Guard;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly maxMessageBytes: number;
  readonly version: string;
  readonly console?: Console;
  readonly timeouts?: Timeouts;
  readonly limits?: Limits;
  /** OAuth's discovery documents by path, served to anyone. */
  readonly metadata?: Metadata;
  readonly card: CardOptions;
  /** What is wrong with the check of callers, if anything; shown to anyone. */
  readonly issue?: () => Message | undefined;
}

/** Limits for clients that send very slowly on purpose, to occupy connections. */
export interface Timeouts {
  readonly headersMs: number;
  /** For the whole request: an upload of the largest file over a slow connection must fit. */
  readonly requestMs: number;
  /** For a message, which usually has a few kilobytes, and for a little progress of an upload. */
  readonly bodyMs: number;
  readonly checkEveryMs: number;
  readonly webSocketBeatMs: number;
}

const TIMEOUTS: Timeouts = {
  headersMs: 15_000,
  requestMs: 300_000,
  bodyMs: 60_000,
  checkEveryMs: 5_000,
  webSocketBeatMs: 30_000,
};
// Each connection costs about 20 KB; above this number, new ones are closed at once.
const MAX_CONNECTIONS = 4_096;
// Longer than proxies and clients keep idle connections: if the server closed one just when it is used again, that
// request would fail.
const KEEP_ALIVE_MS = 65_000;

export interface Http {
  readonly url: string;
  /** Accepts no new requests, gives running ones some time to end, then closes every connection. */
  close(): Promise<void>;
}

const DRAIN_MS = 10_000;

export async function openHttp(options: HttpOptions): Promise<Http> {
  const { mcp, guard, log, maxMessageBytes, timeouts = TIMEOUTS } = options;
  const { limits = openLimits(maxMessageBytes) } = options;
  const { bodyMs, webSocketBeatMs: beatMs } = timeouts;
  const bounds = { limits, maxBodyBytes: maxMessageBytes, bodyMs, isFull: mcp.isFull };
  const endpoint = openMcpEndpoint({ mcp, log, bounds });
  const sockets = openWebSockets({ mcp, log, maxMessageBytes, beatMs, messageMs: bodyMs, limits });
  const { metrics } = options;
  metrics.gauge("knowledge_http_sessions", "Open HTTP sessions", endpoint.sessions);
  metrics.gauge("knowledge_bytes_in_flight", "Bytes of unfinished messages", limits.inFlight.held);
  metrics.gauge("knowledge_websockets", "Open WebSocket connections", sockets.count);
  const refusals = openRepeatedEvents({ log, level: "warn", event: "http.refused" });
  let stopping = false;
  const isStopping = () => stopping;
  const front = openFront({ ...options, endpoint, bounds, refusals, isStopping });
  const server = createServer(toServerOptions(timeouts), (request, response) => {
    front({ request, response }).catch((error: unknown) => {
      log.error("http.failed", { error });
      sendFailure(response);
    });
  });
  server.on("upgrade", openUpgrades({ guard, sockets, refusals, isStopping, log }));
  server.on("clientError", endUnread);
  server.maxConnections = MAX_CONNECTIONS;
  await listen(server, options);
  return {
    url: toUrl(options.host, (server.address() as AddressInfo).port),
    async close() {
      stopping = true;
      await closeServer(server, mcp, [endpoint, sockets]);
      refusals.close();
    },
  };
}

function toServerOptions({ headersMs, requestMs, checkEveryMs }: Timeouts): ServerOptions {
  return {
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkEveryMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    IncomingMessage: UpgradableRequest,
  };
}

function sendFailure(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else {
    const message = "The server hit an unexpected problem.";
    sendFault({ response }, { status: 500, code: JSON_RPC.internalError, message });
  }
}

/** `endpoints`: what HTTP requests and WebSocket connections keep open. */
async function closeServer(
  server: Server,
  mcp: Mcp,
  endpoints: readonly { close(): Promise<void> }[],
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const until = performance.now() + DRAIN_MS;
  while (mcp.running() > 0 && performance.now() < until) await wait(20);
  await Promise.all(endpoints.map((each) => each.close()));
  await Promise.race([closed, wait(500, undefined, { ref: false })]);
  server.closeAllConnections();
}

function listen(server: Server, { host, port }: HttpOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const refuse = (cause: Error) => reject(cannotListen({ host, port }, cause));
  server.once("error", refuse);
  server.listen(port, host.replace(/^\[(.*)\]$/, "$1"), () => {
    server.off("error", refuse);
    resolve();
  });
  return promise;
}

function cannotListen(
  { host, port }: Pick<HttpOptions, "host" | "port">,
  cause: NodeJS.ErrnoException,
): KnowledgeError {
  const known = LISTEN_FAILURES.get(cause.code ?? "") ?? "cannotListen";
  const message = toMessage(known, `${host}:${port}`, cause.message);
  return new KnowledgeError("CONFIG_INVALID", message, { cause });
}

const LISTEN_FAILURES: ReadonlyMap<string, MessageCode> = new Map([
  ["EADDRINUSE", "portTaken"],
  ["EACCES", "portPrivileged"],
  ["EADDRNOTAVAIL", "addressAbsent"],
]);

function toUrl(host: string, port: number): string {
  const named = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
  const name = host === "0.0.0.0" ? "127.0.0.1" : named;
  return `http://${name}:${port}`;
}

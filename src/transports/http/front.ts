// Serves each request by its route. Private routes are served only to a principal that the guard identified.

import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestBody } from "../../console/console.ts";
import { holdsEverywhere } from "../../domain/call/grants.ts";
import { accessTooNarrow } from "../../domain/call/principal.ts";
import type { RequestTarget } from "../../domain/call/request-target.ts";
import { JSON_RPC } from "../../domain/call/rpc-error.ts";
import { defined } from "../../domain/defined.ts";
import { toEnglish } from "../../domain/phrases/messages.ts";
import type { Metrics } from "../../observe/metrics.ts";
import type { Guard } from "../auth/guard.ts";
import type { RepeatedEvents } from "../repeated-events.ts";
import { type Exchanged, type Fault, sendFault, sendJson } from "./exchange.ts";
import type { HttpOptions } from "./http.ts";
import type { McpEndpoint } from "./mcp-endpoint.ts";
import {
  type AdmittedRequest,
  discardRest,
  openUpload,
  type RequestBounds,
  readJson,
} from "./request-body.ts";
import { MCP_PATH, type Route, toRoute } from "./routes.ts";
import { sendCard } from "./server-card.ts";

interface FrontParts extends HttpOptions {
  readonly endpoint: McpEndpoint;
  readonly bounds: RequestBounds;
  readonly refusals: RepeatedEvents;
  readonly isStopping: () => boolean;
}

interface PrivateCall extends AdmittedRequest {
  readonly target: RequestTarget;
}

type Private = Extract<Route, { readonly kind: "private" }>;
type Handlers = Readonly<Record<Private["serves"], (call: PrivateCall) => Promise<void>>>;

export function openFront(parts: FrontParts): (exchanged: Exchanged) => Promise<void> {
  const started = performance.now();
  const routes = { metadata: parts.metadata, hasConsole: parts.console !== undefined };
  const handlers = openHandlers(parts);
  return async (exchanged) => {
    const { request, response } = exchanged;
    response.once("finish", () => discardRest(request));
    // Node drops what arrives in the same packet after such a request; the closed connection shows that to the client.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    const route = toRoute(request, routes);
    switch (route.kind) {
      case "malformed":
      case "two-hosts":
        return refuse(exchanged, INVALID[route.kind], parts.refusals);
      case "nothing":
        return sendJson(response, NOTHING);
      case "health":
        return sendHealth(response, parts, started);
      case "metadata":
        return sendJson(response, { status: 200, body: route.body });
      case "card":
      case "catalogue":
        return sendPublic(exchanged, route.kind, parts);
      case "preflight":
        return preflight(request, response, parts.guard);
      case "page":
        return sendPage(exchanged, route.path, parts);
      case "private":
        return servePrivate(exchanged, route, { ...parts, handlers });
    }
  };
}

function openHandlers({ endpoint, metrics, console: pages, bounds }: FrontParts): Handlers {
  return {
    mcp: endpoint.handle,
    sse: async (call) =>
      call.request.method === "GET" ? endpoint.oldSse.open(call) : refuseMethod(call, "GET"),
    messages: async (call) =>
      call.request.method === "POST"
        ? endpoint.oldSse.post(call, call.target.query)
        : refuseMethod(call, "POST"),
    metrics: async ({ response }) => sendMetrics(response, metrics),
    api: async (call) => pages?.handle({ ...call, body: bodyOf(call, bounds) }),
  };
}

function bodyOf(call: PrivateCall, bounds: RequestBounds): RequestBody {
  return { json: () => readJson(call, bounds), upload: () => openUpload(call, bounds) };
}

async function servePrivate(
  exchanged: Exchanged,
  { serves, target }: Private,
  { guard, mcp, refusals, handlers }: FrontParts & { readonly handlers: Handlers },
): Promise<void> {
  const { request, response } = exchanged;
  const admission = await guard.admit(request);
  // The caller has disconnected meanwhile. The connection will not emit "close" again, so its share of the quotas
  // would never be returned.
  if (response.closed) return;
  if (!admission.ok) return refuse(exchanged, admission.refusal, refusals);
  const { principal, countMessage, cors: headers } = admission;
  // Everything else is compared per method, tool and operation, where a refused change is recorded.
  const isRead = serves === "metrics" || (serves === "api" && request.method !== "POST");
  // Metrics count everybody's calls.
  const isWide = serves === "metrics" && !holdsEverywhere(principal, "read");
  const denied =
    (isRead ? mcp.refusal(principal, "read") : undefined) ??
    (isWide ? accessTooNarrow("read") : undefined);
  if (denied) {
    return refuse(exchanged, refused(403, denied.message), refusals);
  }
  return handlers[serves]({ request, response, principal, headers, target, countMessage });
}

function refuseMethod(call: PrivateCall, allowed: string): void {
  const message = `Use ${allowed}; revisions after 2024-11-05 are served at ${MCP_PATH}.`;
  const fault = { status: 405, code: JSON_RPC.invalidRequest, message };
  sendFault(call, { ...fault, headers: { Allow: allowed } });
}

async function sendPage(
  exchanged: Exchanged,
  path: string,
  { guard, refusals, console: pages }: FrontParts,
): Promise<void> {
  const refusal = guard.admitHostAndOrigin(exchanged.request);
  if (refusal) return refuse(exchanged, refusal, refusals);
  return pages?.sendPage({ ...exchanged, path });
}

function sendPublic(exchanged: Exchanged, kind: "card" | "catalogue", parts: FrontParts): void {
  const refusal = parts.guard.admitHost(exchanged.request);
  if (refusal) refuse(exchanged, refusal, parts.refusals);
  else sendCard({ ...exchanged, kind }, parts.card);
}

const refused = (status: number, message: string): Fault => ({
  status,
  code: JSON_RPC.refused,
  message,
});
const INVALID = {
  malformed: refused(
    400,
    "This address is not valid. Send a plain path, without dot segments or encoded separators.",
  ),
  "two-hosts": refused(400, "The request has more than one Host header. Send one."),
};
const NOTHING = {
  status: 404,
  body: { error: "not_found", message: `MCP is served at ${MCP_PATH}.` },
};
const PREFLIGHT = {
  "Access-Control-Allow-Methods": "POST, GET, DELETE, OPTIONS",
  "Access-Control-Allow-Headers":
    "Authorization, Content-Type, Accept, Last-Event-ID, Mcp-Session-Id, MCP-Protocol-Version, Mcp-Method, Mcp-Name",
  "Access-Control-Max-Age": "600",
};

function preflight(request: IncomingMessage, response: ServerResponse, guard: Guard): void {
  const cors = guard.corsOf(request);
  response.writeHead(cors ? 204 : 403, cors ? { ...cors, ...PREFLIGHT } : {}).end();
}

function refuse(exchanged: Exchanged, refusal: Fault, refusals: RepeatedEvents): void {
  noteRefusal(refusals, exchanged.request, refusal);
  sendFault(exchanged, refusal);
}

export function noteRefusal(
  refusals: RepeatedEvents,
  request: IncomingMessage,
  refusal: Fault,
): void {
  const { status, message } = refusal;
  const address = request.socket.remoteAddress;
  refusals.note({ kind: message, fields: { status, message }, address });
}

function sendHealth(
  response: ServerResponse,
  { isStopping, version, issue }: FrontParts,
  started: number,
): void {
  const uptimeSeconds = Math.round((performance.now() - started) / 1000);
  const found = issue?.();
  const issues = found && [toEnglish(found)];
  // Degraded is no reason to restart the server, so the code stays 200.
  const running = found === undefined ? "ok" : "degraded";
  const status = isStopping() ? "stopping" : running;
  const body = { status, version, uptimeSeconds, ...defined({ issues }) };
  sendJson(response, { status: status === "stopping" ? 503 : 200, body });
}

function sendMetrics(response: ServerResponse, metrics: Metrics): void {
  response.writeHead(200, { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" });
  response.end(metrics.render());
}

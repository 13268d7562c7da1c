// The endpoint /mcp: picks the revision's branch that serves a request.
//
//   POST ─ 2026-07-28 envelope ──────────▶ modern
//        ─ initialize ───────────────────▶ a new session
//        ─ Mcp-Session-Id ───────────────▶ that session          (GET: its stream, DELETE: its end)
//        ─ an array of messages ─────────▶ each to its session, or to the principal's server
//        ─ none of these ────────────────▶ a server shared by the principal's bare requests
import type { Principal } from "../../domain/call/principal.ts";
import { BATCH_REVISION } from "../batches.ts";
import type { Limits } from "../limits.ts";
import { toRpcMessage } from "../message.ts";
import type { Channel } from "./channel.ts";
import { openEventStream, sendFault, sendUnread } from "./exchange.ts";
import { TOO_MANY, UNKNOWN_SESSION, UNKNOWN_VERSION, USE_POST } from "./faults.ts";
import type { HttpOptions } from "./http.ts";
import { type AdmittedRequest, type RequestBounds, readJson } from "./request-body.ts";
import { openBareChannels, postBatch, postLegacy, SESSION } from "./revisions/legacy.ts";
import { type Modern, openModern } from "./revisions/modern.ts";
import { openOldSse } from "./revisions/old-sse.ts";
import { followBody, isKnownVersion, isModern, VERSION } from "./revisions/request-revision.ts";
import { openSessions, type Session, type Sessions } from "./sessions.ts";

interface McpEndpointOptions extends Pick<HttpOptions, "mcp" | "log"> {
  readonly bounds: RequestBounds;
}

interface Parts extends Pick<HttpOptions, "log"> {
  readonly bounds: RequestBounds;
  readonly sessions: Sessions;
  readonly modern: Modern;
  /** The server for a principal's requests without a session. */
  readonly bare: (principal: Principal) => Promise<Channel>;
}

export type McpEndpoint = ReturnType<typeof openMcpEndpoint>;

export function openMcpEndpoint({ mcp, log, bounds }: McpEndpointOptions) {
  const sessions = openSessions(mcp);
  const modern = openModern({ mcp, log, limits: bounds.limits });
  const parts: Parts = { log, bounds, sessions, modern, bare: openBareChannels(mcp) };
  return {
    handle: (call: AdmittedRequest) =>
      call.request.method === "POST" ? post(call, parts) : streamOrDelete(call, parts),
    /** HTTP+SSE of revision 2024-11-05. */
    oldSse: openOldSse({ ...bounds, sessions }),
    sessions: sessions.count,
    async close() {
      await Promise.all([sessions.closeAll(), modern.close()]);
    },
  };
}

async function post(call: AdmittedRequest, parts: Parts): Promise<void> {
  const { request, response, principal, headers } = call;
  const body = await readJson(call, parts.bounds);
  if (!body) return;
  const { value } = body;
  if (Array.isArray(value)) return batch(call, value, parts);
  followBody(request, value, parts.log);
  if (isModern(request, value)) {
    return parts.modern.handle({ request, response, body: value, principal, headers });
  }
  const parsed = toRpcMessage(value);
  if (!parsed.ok) return sendUnread(call, parsed.error);
  return postLegacy(call, parsed.message, parts);
}

async function batch(
  call: AdmittedRequest,
  values: readonly unknown[],
  { sessions, bare }: Parts,
): Promise<void> {
  const { request, principal } = call;
  const id = request.headers[SESSION];
  const session = id === undefined ? undefined : sessions.find(String(id), principal);
  if (id !== undefined && !session) return sendFault(call, UNKNOWN_SESSION);
  // Without a handshake, the header names the revision; without a header, it is the last revision that did not have
  // one.
  const revision = session?.channel.revision() ?? request.headers[VERSION] ?? BATCH_REVISION;
  const channel = session?.channel ?? (await bare(principal));
  return postBatch(call, values, { channel, isAllowed: revision === BATCH_REVISION });
}

/** GET opens a session's stream, DELETE ends the session. */
async function streamOrDelete(call: AdmittedRequest, { sessions, bounds }: Parts): Promise<void> {
  const { request, response, principal, headers } = call;
  const { [SESSION]: id, [VERSION]: version } = request.headers;
  if (id === undefined || (request.method !== "GET" && request.method !== "DELETE")) {
    return sendFault(call, USE_POST);
  }
  const session = sessions.find(String(id), principal);
  if (!session) return sendFault(call, UNKNOWN_SESSION);
  if (version !== undefined && !isKnownVersion(version)) {
    return sendFault(call, UNKNOWN_VERSION);
  }
  if (request.method === "GET") return openStream(call, session, bounds.limits);
  await sessions.close(session.id);
  response.writeHead(204, headers).end();
}

function openStream(call: AdmittedRequest, { channel }: Session, { streams }: Limits): void {
  const { response, principal, headers } = call;
  if (!streams.take(principal.name, 1)) return void sendFault(call, TOO_MANY);
  response.once("close", () => streams.give(principal.name, 1));
  const stream = openEventStream(response, headers);
  channel.attach(stream);
  response.once("close", () => channel.detach(stream));
}

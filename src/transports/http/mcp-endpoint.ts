// The endpoint /mcp: which leg serves a request, by what the request itself says.
//
//   POST ─ 2026-07-28 envelope ──────────▶ modern
//        ─ initialize ───────────────────▶ a new session
//        ─ Mcp-Session-Id ───────────────▶ that session          (GET: its stream, DELETE: its end)
//        ─ an array of messages ─────────▶ each to its session, or to the principal's server
//        ─ none of these ────────────────▶ a server shared by the principal's bare requests
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import type { Principal } from "../../domain/call/principal.ts";
import { JSON_RPC } from "../../domain/call/rpc-error.ts";
import type { Mcp } from "../../mcp/mcp.ts";
import type { Log } from "../../observe/log.ts";
import { BATCH_REVISION } from "../batches.ts";
import type { Limits } from "../limits.ts";
import { toMessage } from "../message.ts";
import { type Call, readJson } from "./call.ts";
import { type Channel, openChannel } from "./channel.ts";
import { openEventStream, openExchange, sendFault } from "./exchange.ts";
import {
  ID_IN_USE,
  LATER,
  sendWireError,
  TOO_MANY,
  UNKNOWN_SESSION,
  UNKNOWN_VERSION,
} from "./faults.ts";
import { postBatch } from "./revisions/batch.ts";
import { isKnownVersion, isModern, VERSION } from "./revisions/era.ts";
import { openModern } from "./revisions/modern.ts";
import { type OldSse, openOldSse } from "./revisions/old-sse.ts";
import { openSessions } from "./sessions.ts";

export interface McpEndpoint {
  handle(call: Call): Promise<void>;
  /** HTTP+SSE of revision 2024-11-05. */
  readonly oldSse: OldSse;
  sessions(): number;
  close(): Promise<void>;
}

export interface McpEndpointOptions {
  readonly mcp: Mcp;
  readonly log: Log;
  readonly maxBodyBytes: number;
  /** How long a body may take. */
  readonly bodyMs: number;
  readonly limits: Limits;
}

const SESSION = "mcp-session-id";

export function openMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  const { mcp, log, limits } = options;
  const bounds = { ...options, isFull: mcp.isFull };
  const sessions = openSessions(mcp);
  const oldSse = openOldSse({ ...bounds, sessions });
  const modern = openModern({ mcp, log, limits });
  const bare = openBareChannels(mcp);

  async function post(call: Call): Promise<void> {
    const { request, response, principal, headers } = call;
    const body = await readJson(call, bounds);
    if (!body) return;
    const { value } = body;
    if (Array.isArray(value)) return batch(call, value);
    if (isModern(request, value)) {
      return modern.handle({ request, response, body: value, principal, headers });
    }
    const parsed = toMessage(value);
    if (!parsed.ok) return sendWireError(response, parsed.error, headers);
    return legacy(call, parsed.message);
  }

  async function batch(call: Call, values: readonly unknown[]): Promise<void> {
    const { request, response, principal, headers } = call;
    const id = request.headers[SESSION];
    const session = id === undefined ? undefined : sessions.find(String(id), principal);
    if (id !== undefined && !session) return sendFault(response, { ...UNKNOWN_SESSION, headers });
    // Without a handshake the header says the revision; without the header it is the one before the header.
    const revision = session?.channel.revision() ?? request.headers[VERSION] ?? BATCH_REVISION;
    const channel = session?.channel ?? (await bare(principal));
    postBatch(call, values, { channel, isAllowed: revision === BATCH_REVISION });
  }

  async function legacy(call: Call, message: JSONRPCMessage): Promise<void> {
    const { request, response, principal, headers } = call;
    const id = request.headers[SESSION];
    if ("method" in message && message.method === "initialize" && "id" in message) {
      const session = await sessions.open(principal);
      if (!session) return sendFault(response, { ...TOO_MANY, headers: { ...headers, ...LATER } });
      const named = { ...headers, "Mcp-Session-Id": session.id };
      session.channel.post(message, openExchange(request, response, named));
      return;
    }
    if (id === undefined) {
      if (!("method" in message)) {
        return sendFault(response, {
          status: 400,
          code: JSON_RPC.invalidRequest,
          message: "A response needs a session.",
          headers,
        });
      }
      return pass(await bare(principal), call, message);
    }
    const session = sessions.find(String(id), principal);
    if (!session) return sendFault(response, { ...UNKNOWN_SESSION, headers });
    return pass(session.channel, call, message);
  }

  return {
    async handle(call) {
      const { request, response, principal, headers } = call;
      const version = request.headers[VERSION];
      if (request.method === "POST") return post(call);
      const id = request.headers[SESSION];
      if (id === undefined || (request.method !== "GET" && request.method !== "DELETE")) {
        const allow = { ...headers, Allow: "POST" };
        return sendFault(response, {
          status: 405,
          code: JSON_RPC.invalidRequest,
          message: "Use POST.",
          headers: allow,
        });
      }
      const session = sessions.find(String(id), principal);
      if (!session) return sendFault(response, { ...UNKNOWN_SESSION, headers });
      if (version !== undefined && !isKnownVersion(version)) {
        return sendFault(response, { ...UNKNOWN_VERSION, headers });
      }
      if (request.method === "DELETE") {
        await sessions.close(session.id);
        response.writeHead(204, headers).end();
        return;
      }
      if (!limits.streams.take(principal.name, 1)) {
        return sendFault(response, { ...TOO_MANY, headers: { ...headers, ...LATER } });
      }
      response.once("close", () => limits.streams.give(principal.name, 1));
      const stream = openEventStream(response, headers);
      session.channel.attach(stream);
      response.once("close", () => session.channel.detach(stream));
    },
    oldSse,
    sessions: sessions.count,
    async close() {
      await Promise.all([sessions.closeAll(), modern.close()]);
    },
  };
}

function pass(
  channel: Channel,
  { request, response, headers }: Call,
  message: JSONRPCMessage,
): void {
  const version = request.headers[VERSION];
  if (version !== undefined && !isKnownVersion(version)) {
    sendFault(response, { ...UNKNOWN_VERSION, headers });
  } else if ("method" in message && "id" in message) {
    const taken = channel.post(message, openExchange(request, response, headers));
    if (!taken) sendFault(response, { ...ID_IN_USE, headers }, message.id);
  } else {
    channel.deliver(message);
    response.writeHead(202, headers).end();
  }
}

/** One server a principal, kept for as long as the principal is. */
function openBareChannels(mcp: Mcp): (principal: Principal) => Promise<Channel> {
  const channels = new WeakMap<Principal, Promise<Channel>>();
  return (principal) => {
    const known = channels.get(principal);
    if (known) return known;
    const channel = openChannel({ shared: true });
    const server = mcp.createServer({ transport: "http", principal, lasting: false });
    const opening = server.connect(channel).then(() => channel);
    channels.set(principal, opening);
    return opening;
  };
}

// One message of a revision up to 2025-11-25: it opens a session, belongs to one, or comes without.

import type { IncomingMessage } from "node:http";
import {
  classifyInboundRequest,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { isJsonObject } from "../../../domain/call/json-object.ts";
import type { Principal } from "../../../domain/call/principal.ts";
import type { Mcp } from "../../../mcp/mcp.ts";
import type { Log } from "../../../observe/log.ts";
import { openBatches } from "../../batches.ts";
import { refuse, tooMany } from "../../message.ts";
import { type Channel, openChannel } from "../channel.ts";
import { openExchange, sendFault } from "../exchange.ts";
import {
  ID_IN_USE,
  NO_BATCHES,
  RESPONSE_WITHOUT_SESSION,
  sendWireError,
  TOO_MANY,
  UNKNOWN_SESSION,
  UNKNOWN_VERSION,
} from "../faults.ts";
import type { AdmittedRequest } from "../request-body.ts";
import type { Sessions } from "../sessions.ts";

export const SESSION = "mcp-session-id";

export interface LegacyParts {
  readonly sessions: Sessions;
  readonly bare: (principal: Principal) => Promise<Channel>;
}

export async function postLegacy(
  call: AdmittedRequest,
  message: JSONRPCMessage,
  { sessions, bare }: LegacyParts,
): Promise<void> {
  const { request, response, principal, headers } = call;
  if ("method" in message && message.method === "initialize" && "id" in message) {
    const session = await sessions.open(principal);
    if (!session)
      return sendFault(response, { ...TOO_MANY, headers: { ...headers, ...TOO_MANY.headers } });
    const named = { ...headers, "Mcp-Session-Id": session.id };
    session.channel.post(message, openExchange(request, response, named));
    return;
  }
  const id = request.headers[SESSION];
  if (id === undefined) {
    if ("method" in message) return pass(await bare(principal), call, message);
    return sendFault(response, { ...RESPONSE_WITHOUT_SESSION, headers });
  }
  const session = sessions.find(String(id), principal);
  if (!session) return sendFault(response, { ...UNKNOWN_SESSION, headers });
  return pass(session.channel, call, message);
}

function pass(
  channel: Channel,
  { request, response, headers }: AdmittedRequest,
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

/** One server per principal, kept as long as the principal object lives. */
export function openBareChannels(mcp: Mcp): (principal: Principal) => Promise<Channel> {
  const channels = new WeakMap<Principal, Promise<Channel>>();
  return (principal) => {
    const known = channels.get(principal);
    if (known !== undefined) return known;
    const channel = openChannel({ shared: true });
    const server = mcp.createServer({ transport: "http", principal, lasting: false });
    const opening = server.connect(channel).then(() => channel);
    channels.set(principal, opening);
    return opening;
  };
}

// Several messages in one body, which only revision 2025-03-26 has.

export function postBatch(
  call: AdmittedRequest,
  values: readonly unknown[],
  { channel, isAllowed }: { readonly channel: Channel; readonly isAllowed: boolean },
): void {
  const { request, response, headers } = call;
  if (!isAllowed) {
    sendFault(response, { ...NO_BATCHES, headers });
    return;
  }
  const exchange = openExchange(request, response, headers);
  const batch = openBatches((all) =>
    all.length === 0 ? exchange.drop() : exchange.respondAll(all),
  );
  const state = { passed: 0 };
  const refusal = batch.take(values, (message) => {
    // The first message was already counted with the request itself.
    const waitSeconds = state.passed++ === 0 ? 0 : call.countMessage();
    if (!("method" in message && "id" in message)) {
      if (waitSeconds === 0) channel.deliver(message);
      return undefined;
    }
    if (waitSeconds > 0) return tooMany(message.id, waitSeconds);
    const drop = () => batch.forget(message.id);
    const isTaken = channel.post(message, { ...exchange, respond: batch.keep, drop });
    return isTaken ? undefined : refuse(ID_IN_USE.code, ID_IN_USE.message, message.id).error;
  });
  if (refusal) sendWireError(response, refusal, headers);
}

// Which revision of the protocol an HTTP request is written in.

export const VERSION = "mcp-protocol-version";

export function isModern(request: IncomingMessage, body: unknown): boolean {
  const { headers } = request;
  const meta = (body as { params?: { _meta?: unknown } } | null)?.params?._meta;
  // Most requests have none of these marks, and classifying a request fully costs as much as a call.
  if (meta === undefined && headers[VERSION] === undefined && headers["mcp-method"] === undefined) {
    return false;
  }
  const { kind } = classifyInboundRequest({
    httpMethod: "POST",
    body,
    ...pick("protocolVersionHeader", headers[VERSION]),
    ...pick("mcpMethodHeader", headers["mcp-method"]),
    ...pick("mcpNameHeader", headers["mcp-name"]),
  });
  return kind === "modern" || (kind === "reject" && isJsonObject(body));
}

function pick(name: string, value: string | string[] | undefined) {
  return typeof value === "string" ? { [name]: value } : {};
}

export function isKnownVersion(version: string | string[]): boolean {
  return SUPPORTED_PROTOCOL_VERSIONS.includes(String(version));
}

const MODERN = "2026-07-28";

/**
 * Some connectors send a body of 2026-07-28 under the header of an older revision. The body decides: a strict server
 * would refuse every one of their calls. Adds the headers that came with that revision; those that the client sent must
 * still agree with the body.
 */
export function followBody({ headers }: IncomingMessage, body: unknown, log: Log): void {
  const named = headers[VERSION];
  if (typeof named !== "string" || named >= MODERN || !isKnownVersion(named)) return;
  const { method, params } = isJsonObject(body) ? body : {};
  const { _meta: meta, name, uri, taskId } = isJsonObject(params) ? params : {};
  if (!isJsonObject(meta) || meta[PROTOCOL_VERSION_META_KEY] !== MODERN) return;
  log.info("http.revisions-differ", { header: named, body: MODERN });
  headers[VERSION] = MODERN;
  if (typeof method === "string") headers["mcp-method"] ??= encoded(method);
  const target = name ?? uri ?? taskId;
  if (typeof target === "string") headers["mcp-name"] ??= encoded(target);
}

/** As the protocol writes values that a header cannot carry. */
function encoded(value: string): string {
  return /^[!-~]+$/.test(value) ? value : `=?base64?${Buffer.from(value).toString("base64")}?=`;
}

// One message of a revision up to 2025-11-25: it opens a session, belongs to one, or comes without.
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import type { Principal } from "../../../domain/call/principal.ts";
import type { Mcp } from "../../../mcp/mcp.ts";
import { type Channel, openChannel } from "../channel.ts";
import { openExchange, sendFault } from "../exchange.ts";
import {
  ID_IN_USE,
  RESPONSE_WITHOUT_SESSION,
  RETRY_LATER,
  TOO_MANY,
  UNKNOWN_SESSION,
  UNKNOWN_VERSION,
} from "../faults.ts";
import type { AdmittedRequest } from "../request-body.ts";
import type { Sessions } from "../sessions.ts";
import { isKnownVersion, VERSION } from "./detect-revision.ts";

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
      return sendFault(response, { ...TOO_MANY, headers: { ...headers, ...RETRY_LATER } });
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
    if (known) return known;
    const channel = openChannel({ shared: true });
    const server = mcp.createServer({ transport: "http", principal, lasting: false });
    const opening = server.connect(channel).then(() => channel);
    channels.set(principal, opening);
    return opening;
  };
}

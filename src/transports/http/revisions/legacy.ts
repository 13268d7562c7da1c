// One message of a revision up to 2025-11-25: it opens a session, belongs to one, or comes without.
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import type { Principal } from "../../../domain/call/principal.ts";
import type { Mcp } from "../../../mcp/mcp.ts";
import { openBatches } from "../../batches.ts";
import { refuse, tooMany } from "../../message.ts";
import { type Channel, openChannel } from "../channel.ts";
import { openExchange, sendFault, sendUnread } from "../exchange.ts";
import {
  ID_IN_USE,
  NO_BATCHES,
  RESPONSE_WITHOUT_SESSION,
  TOO_MANY,
  UNKNOWN_SESSION,
  UNKNOWN_VERSION,
} from "../faults.ts";
import type { AdmittedRequest } from "../request-body.ts";
import type { Sessions } from "../sessions.ts";
import { isKnownVersion, VERSION } from "./request-revision.ts";

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
    if (!session) return sendFault(call, TOO_MANY);
    const named = { ...headers, "Mcp-Session-Id": session.id };
    session.channel.post(message, openExchange(request, response, named));
    return;
  }
  const id = request.headers[SESSION];
  if (id === undefined) {
    if ("method" in message) return pass(await bare(principal), call, message);
    return sendFault(call, RESPONSE_WITHOUT_SESSION);
  }
  const session = sessions.find(String(id), principal);
  if (!session) return sendFault(call, UNKNOWN_SESSION);
  return pass(session.channel, call, message);
}

function pass(channel: Channel, call: AdmittedRequest, message: JSONRPCMessage): void {
  const { request, response, headers } = call;
  const version = request.headers[VERSION];
  if (version !== undefined && !isKnownVersion(version)) {
    sendFault(call, UNKNOWN_VERSION);
  } else if ("method" in message && "id" in message) {
    const taken = channel.post(message, openExchange(request, response, headers));
    if (!taken) sendFault(call, ID_IN_USE, message.id);
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
  if (!isAllowed) return void sendFault(call, NO_BATCHES);
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
  if (refusal) sendUnread(call, refusal);
}

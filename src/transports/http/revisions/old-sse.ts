// HTTP+SSE as revision 2024-11-05 defines it: a stream that begins with the address to post to, and responses on that
// stream. Guard, rights, sessions and bounds are those of /mcp.
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { toRpcMessage } from "../../message.ts";
import {
  type EventStream,
  type Exchange,
  openEventStream,
  sendFault,
  sendUnread,
} from "../exchange.ts";
import { ID_IN_USE, TOO_MANY, UNKNOWN_SESSION } from "../faults.ts";
import { type AdmittedRequest, type RequestBounds, readJson } from "../request-body.ts";
import { MESSAGES_PATH } from "../routes.ts";
import type { Session, Sessions } from "../sessions.ts";

export function openOldSse(parts: RequestBounds & { readonly sessions: Sessions }) {
  const { sessions, limits } = parts;
  const streams = new WeakMap<Session["channel"], EventStream>();
  return {
    /** Handles GET: opens the stream. */
    async open(call: AdmittedRequest): Promise<void> {
      const { response, principal, headers } = call;
      if (!limits.streams.take(principal.name, 1)) return sendFault(call, TOO_MANY);
      response.once("close", () => limits.streams.give(principal.name, 1));
      const session = await sessions.open(principal);
      if (!session) return sendFault(call, TOO_MANY);
      if (response.closed) return sessions.close(session.id);
      const stream = openEventStream(response, headers);
      stream.name("endpoint", `${MESSAGES_PATH}?sessionId=${session.id}`);
      streams.set(session.channel, stream);
      session.channel.attach(stream);
      // The session ends with its stream, because responses have no other way to reach the client.
      response.once("close", () => void sessions.close(session.id));
    },
    /** Handles POST: one message for the session that the query names. */
    async post(call: AdmittedRequest, query: string): Promise<void> {
      const { response, principal, headers } = call;
      const id = new URLSearchParams(query).get("sessionId") ?? "";
      const session = sessions.find(id, principal);
      const stream = session && streams.get(session.channel);
      if (!session || !stream) return sendFault(call, UNKNOWN_SESSION);
      const body = await readJson(call, parts);
      if (!body) return;
      const parsed = toRpcMessage(body.value);
      if (!parsed.ok) return sendUnread(call, parsed.error);
      const { message } = parsed;
      if (pass(session, stream, message)) response.writeHead(202, headers).end();
      else if ("id" in message) sendFault(call, ID_IN_USE, message.id ?? null);
    },
  };
}

function pass({ channel }: Session, stream: EventStream, message: JSONRPCMessage): boolean {
  if ("method" in message && "id" in message) return channel.post(message, onStream(stream));
  channel.deliver(message);
  return true;
}

function onStream(stream: EventStream): Exchange {
  return {
    notify: (message) => {
      stream.write(message);
      return true;
    },
    respond: stream.write,
    drop: () => {},
    onLost: () => {},
  };
}

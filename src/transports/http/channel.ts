// Joins one protocol server to many HTTP exchanges: each answer goes back on the exchange of its request.
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  RequestId,
  Transport,
  TransportSendOptions,
} from "@modelcontextprotocol/server";
import type { EventStream, Exchange } from "./exchange.ts";

export interface Channel extends Transport {
  /** A request whose answer belongs on the exchange. False when one with its id is still running. */
  post(request: JSONRPCRequest, exchange: Exchange): boolean;
  /** A notification, or the client's answer to a request of the server. */
  deliver(message: JSONRPCMessage): void;
  /** Where messages go that belong to no running request. The last stream given is used. */
  attach(stream: EventStream): void;
  detach(stream: EventStream): void;
  busy(): boolean;
}

const MAX_WAITING = 100;

interface Pending {
  readonly exchange: Exchange;
  readonly id: RequestId;
}

export interface ChannelOptions {
  readonly sessionId?: string;
  /** Several clients share the channel: their ids may collide, and a lost one means a cancelled request. */
  readonly shared: boolean;
}

export function openChannel({ sessionId, shared }: ChannelOptions): Channel {
  const pending = new Map<RequestId, Pending>();
  const waiting: JSONRPCMessage[] = [];
  let stream: EventStream | undefined;
  let count = 0;

  const channel: Channel = {
    ...(sessionId === undefined ? {} : { sessionId }),
    async start() {},
    async close() {
      stream?.end();
      stream = undefined;
      channel.onclose?.();
    },
    post(request, exchange) {
      const key = shared ? ++count : request.id;
      if (pending.has(key)) return false;
      pending.set(key, { exchange, id: request.id });
      if (shared) exchange.onLost(() => cancel(key));
      channel.onmessage?.(shared ? { ...request, id: key } : request);
      return true;
    },
    deliver(message) {
      const cancelled = cancelledBy(message);
      if (cancelled === undefined) return channel.onmessage?.(message);
      // The ids that clients know of a shared channel are not its own: one would cancel another's request.
      if (shared) return;
      const found = pending.get(cancelled);
      pending.delete(cancelled);
      channel.onmessage?.(message);
      found?.exchange.drop();
    },
    attach(next) {
      stream?.end();
      stream = next;
      for (const message of waiting.splice(0)) next.write(message);
    },
    detach(gone) {
      if (stream === gone) stream = undefined;
    },
    busy: () => pending.size > 0 || stream !== undefined,
    async send(message: JSONRPCMessage, options?: TransportSendOptions) {
      if ("method" in message) return tell(message, options?.relatedRequestId);
      const key = message.id;
      const found = key === undefined ? undefined : pending.get(key);
      if (key === undefined || !found) return;
      pending.delete(key);
      found.exchange.answer(shared ? { ...message, id: found.id } : message);
    },
  };

  const cancel = (key: RequestId) => {
    if (!pending.delete(key)) return;
    channel.onmessage?.({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: key, reason: "The client disconnected." },
    });
  };

  const tell = (message: JSONRPCMessage, related: RequestId | undefined) => {
    const exchange = related === undefined ? undefined : pending.get(related)?.exchange;
    if (exchange?.tell(message)) return;
    if (stream) stream.write(message);
    else if (!shared) {
      // The client opens its stream after the handshake, or again after it broke.
      waiting.push(message);
      if (waiting.length > MAX_WAITING) waiting.shift();
    }
  };
  return channel;
}

function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  return (message.params as { readonly requestId?: RequestId } | undefined)?.requestId;
}

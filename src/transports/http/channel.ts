// Joins one protocol server to many HTTP exchanges: each response goes back on the exchange of its request.
import type {
  JSONRPCMessage,
  JSONRPCRequest,
  JSONRPCResponse,
  RequestId,
  Transport,
  TransportSendOptions,
} from "@modelcontextprotocol/server";
import { defined } from "../../domain/defined.ts";
import { revisionIn } from "../message.ts";
import type { EventStream, Exchange } from "./exchange.ts";

export interface Channel extends Transport {
  /**
   * Passes on a request whose response belongs on the exchange. False if a request with the same id is still running.
   */
  post(request: JSONRPCRequest, exchange: Exchange): boolean;
  /** Passes on a notification, or the client's response to a request from the server. */
  deliver(message: JSONRPCMessage): void;
  /** Sets the stream for messages that belong to no running request. The last one set is used. */
  attach(stream: EventStream): void;
  detach(stream: EventStream): void;
  busy(): boolean;
  /** The revision from the handshake; undefined before it or without one. */
  revision(): string | undefined;
}

const MAX_WAITING = 100;

interface Pending {
  readonly exchange: Exchange;
  readonly id: RequestId;
}

export interface ChannelOptions {
  readonly sessionId?: string;
  /**
   * Set if several clients share the channel: their ids may collide, and a client that disconnects cancels its request.
   */
  readonly shared: boolean;
}

interface ChannelState {
  readonly shared: boolean;
  readonly pending: Map<RequestId, Pending>;
  /** Messages waiting for the client's stream. */
  readonly waiting: JSONRPCMessage[];
  stream?: EventStream | undefined;
  count: number;
  revision?: string;
}

export function openChannel({ sessionId, shared }: ChannelOptions): Channel {
  const state: ChannelState = { shared, pending: new Map(), waiting: [], count: 0 };
  const channel: Channel = {
    ...defined({ sessionId }),
    async start() {},
    async close() {
      state.stream?.end();
      state.stream = undefined;
      channel.onclose?.();
    },
    post: (request, exchange) => post(state, channel, { request, exchange }),
    deliver: (message) => deliver(state, channel, message),
    attach(next) {
      state.stream?.end();
      state.stream = next;
      for (const message of state.waiting.splice(0)) next.write(message);
    },
    detach(gone) {
      if (state.stream === gone) state.stream = undefined;
    },
    busy: () => state.pending.size > 0 || state.stream !== undefined,
    revision: () => state.revision,
    async send(message: JSONRPCMessage, options?: TransportSendOptions) {
      if ("method" in message) notify(state, message, options?.relatedRequestId);
      else respond(state, message);
    },
  };
  return channel;
}

function post(
  state: ChannelState,
  channel: Channel,
  { request, exchange }: { readonly request: JSONRPCRequest; readonly exchange: Exchange },
): boolean {
  const { shared, pending } = state;
  if (shared) state.count += 1;
  const key = shared ? state.count : request.id;
  if (pending.has(key)) return false;
  pending.set(key, { exchange, id: request.id });
  if (shared) exchange.onLost(() => cancel(state, channel, key));
  channel.onmessage?.(shared ? { ...request, id: key } : request);
  return true;
}

function deliver(
  { shared, pending }: ChannelState,
  channel: Channel,
  message: JSONRPCMessage,
): void {
  const cancelled = cancelledBy(message);
  if (cancelled === undefined) {
    channel.onmessage?.(message);
    return;
  }
  // On a shared channel ids are rewritten, so a client's id could cancel another client's request.
  if (shared) return;
  const found = pending.get(cancelled);
  pending.delete(cancelled);
  channel.onmessage?.(message);
  found?.exchange.drop();
}

function respond(state: ChannelState, message: JSONRPCResponse): void {
  const { shared, pending } = state;
  const key = message.id;
  const found = key === undefined ? undefined : pending.get(key);
  if (key === undefined || !found) return;
  pending.delete(key);
  // Not on a shared channel, because one client's handshake must not affect the others.
  const revision = shared ? undefined : (state.revision ?? revisionIn(message));
  if (revision !== undefined) state.revision = revision;
  found.exchange.respond(shared ? { ...message, id: found.id } : message);
}

function cancel({ pending }: ChannelState, channel: Channel, key: RequestId): void {
  if (!pending.delete(key)) return;
  channel.onmessage?.({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: key, reason: "The client disconnected." },
  });
}

function notify(state: ChannelState, message: JSONRPCMessage, related: RequestId | undefined) {
  const { pending, stream, waiting, shared } = state;
  const exchange = related === undefined ? undefined : pending.get(related)?.exchange;
  if (exchange?.notify(message)) return;
  if (stream) stream.write(message);
  else if (!shared) {
    // Kept, because the client opens its stream only after the handshake, or again after it broke.
    waiting.push(message);
    if (waiting.length > MAX_WAITING) waiting.shift();
  }
}

function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  return (message.params as { readonly requestId?: RequestId } | undefined)?.requestId;
}

// The response to one POST: a JSON body, or an event stream as soon as something must be sent first.
import type { IncomingMessage, ServerResponse } from "node:http";
import { completeRpcError, type RpcErrorData } from "../../domain/call/rpc-error.ts";
import type { WireError } from "../message.ts";

export interface Exchanged {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

export interface Exchange {
  /** Sends a message before the result. False if the client cannot receive it. */
  notify(message: unknown): boolean;
  respond(message: unknown): void;
  /** Ends the exchange without a response, because the client has cancelled its request. */
  drop(): void;
  /** Called if the client disconnects before the response. */
  onLost(listener: () => void): void;
}

// A client that does not read must not fill the server's memory.
const MAX_BUFFERED_BYTES = 32 * 1024 * 1024;
// Proxies close streams that are silent for a minute.
const KEEP_ALIVE_MS = 15_000;

const STREAM_HEADERS = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
};

export type Headers = Readonly<Record<string, string>>;

export function openExchange(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Headers,
): Exchange & { respondAll(messages: readonly unknown[]): void } {
  let stream: EventStream | undefined;
  const isOver = () => response.writableEnded || response.destroyed;
  const respond = (body: unknown, messages: readonly unknown[]) => {
    if (isOver()) return;
    if (stream || !acceptsJson(request)) {
      stream ??= openEventStream(response, headers);
      for (const message of messages) stream.write(message);
      stream.end();
    } else sendJson(response, { status: 200, body, headers });
  };
  return {
    notify(message) {
      if (!takesStream(request) || isOver()) return false;
      stream ??= openEventStream(response, headers);
      stream.write(message);
      return true;
    },
    respond: (message) => respond(message, [message]),
    /** Sends the responses of a batch: one array, or one event for each. */
    respondAll: (messages) => respond(messages, messages),
    drop() {
      if (isOver()) return;
      if (stream) stream.end();
      else response.writeHead(202, headers).end();
    },
    onLost(listener) {
      response.once("close", () => {
        if (!response.writableFinished) listener();
      });
    },
  };
}

function takesStream({ headers }: IncomingMessage): boolean {
  return accepts(headers.accept, ["text/event-stream", "text/*"]);
}

/** Also true for clients whose Accept header is missing or names neither type. */
function acceptsJson(request: IncomingMessage): boolean {
  const { accept } = request.headers;
  return (
    accepts(accept, ["application/json", "application/*", "*/*"]) ||
    !accepts(accept, ["text/event-stream"])
  );
}

function accepts(header: string | undefined, kinds: readonly string[]): boolean {
  return (header ?? "").split(",").some((part) => {
    const [kind = "", ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
    return kinds.includes(kind) && !parameters.some((each) => /^q=0(\.0*)?$/.test(each));
  });
}

export interface EventStream {
  write(message: unknown): void;
  /** Sends an event with a name other than `message`, with its data unchanged. */
  name(event: string, data: string): void;
  end(): void;
}

export function openEventStream(response: ServerResponse, headers: Headers): EventStream {
  response.writeHead(200, { ...headers, ...STREAM_HEADERS });
  response.flushHeaders();
  const beat = setInterval(() => response.write(": keep-alive\n\n"), KEEP_ALIVE_MS);
  beat.unref();
  response.once("close", () => clearInterval(beat));
  return {
    write(message) {
      if (response.writableLength > MAX_BUFFERED_BYTES) response.destroy();
      else response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    },
    name: (event, data) => void response.write(`event: ${event}\ndata: ${data}\n\n`),
    end: () => void response.end(),
  };
}

export function sendJson(
  response: ServerResponse,
  { status, body, headers = {} }: { status: number; body: unknown; headers?: Headers },
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...headers,
    "Content-Type": "application/json",
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
}

/** Sends a refusal in the form that JSON-RPC clients read, with the headers of the call. */
export function sendFault(
  call: { readonly response: ServerResponse; readonly headers?: Headers },
  { status, code, message, data, headers: own }: Fault,
  id: string | number | null = null,
): void {
  // `data` keeps what the protocol requires, such as the supported versions, and gets type and details as well.
  const error = completeRpcError({ code, message, data });
  const headers = { ...call.headers, ...own };
  sendJson(call.response, { status, headers, body: { jsonrpc: "2.0", id, error } });
}

/** A message that could not be read. */
export function sendUnread(call: Parameters<typeof sendFault>[0], { id, error }: WireError): void {
  sendFault(call, { status: 400, ...error }, id);
}

export interface Fault {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: RpcErrorData | undefined;
  readonly headers?: Headers;
}

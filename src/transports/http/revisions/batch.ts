// Several messages in one body, which only revision 2025-03-26 has. All responses go into one JSON array, or each becomes
// an event if the server has to send something else first.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { refuse, toBatch, tooMany } from "../../message.ts";
import type { Channel } from "../channel.ts";
import {
  acceptsJson,
  type EventStream,
  type Exchange,
  type Headers,
  openEventStream,
  sendFault,
  sendJson,
  takesStream,
} from "../exchange.ts";
import { ID_IN_USE, NO_BATCHES, sendWireError } from "../faults.ts";

export interface BatchCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: Headers;
  /** Counts one more message. Returns the seconds to wait before it, 0 if it may pass. */
  readonly countMessage: () => number;
}

export function postBatch(
  call: BatchCall,
  values: readonly unknown[],
  { channel, isAllowed }: { readonly channel: Channel; readonly isAllowed: boolean },
): void {
  const { response, headers } = call;
  if (!isAllowed) {
    sendFault(response, { ...NO_BATCHES, headers });
    return;
  }
  const batch = toBatch(values);
  if (!batch.ok) {
    sendWireError(response, batch.error, headers);
    return;
  }
  const responses = openResponses(call);
  for (const [at, parsed] of batch.messages.entries()) {
    if (!parsed.ok) {
      responses.add(parsed.error);
      continue;
    }
    // The first message was already counted with the request itself.
    passOn(parsed.message, { channel, responses, waitSeconds: at === 0 ? 0 : call.countMessage() });
  }
  responses.seal();
}

interface PassOnOptions {
  readonly channel: Channel;
  readonly responses: ReturnType<typeof openResponses>;
  readonly waitSeconds: number;
}

function passOn(message: JSONRPCMessage, { channel, responses, waitSeconds }: PassOnOptions): void {
  if (!("method" in message && "id" in message)) {
    if (waitSeconds === 0) channel.deliver(message);
  } else if (waitSeconds > 0) {
    responses.add(tooMany(message.id, waitSeconds));
  } else if (!channel.post(message, responses.part())) {
    responses.add(refuse(ID_IN_USE.code, ID_IN_USE.message, message.id).error);
    responses.release();
  }
}

/** The batch's responses so far, and how many requests are still running. */
interface BatchState {
  readonly call: BatchCall;
  readonly responses: unknown[];
  open: number;
  isSealed: boolean;
  stream?: EventStream;
}

function openResponses(call: BatchCall) {
  const state: BatchState = { call, responses: [], open: 0, isSealed: false };
  const add = (message: unknown) => {
    if (state.stream) state.stream.write(message);
    else state.responses.push(message);
  };
  const release = () => {
    state.open -= 1;
    endWhenDone(state);
  };
  const part = (): Exchange => {
    const { request, response } = call;
    state.open += 1;
    return {
      notify(message) {
        if (!takesStream(request) || response.writableEnded || response.destroyed) return false;
        streamOf(state).write(message);
        return true;
      },
      respond(message) {
        add(message);
        release();
      },
      drop: release,
      onLost(listener) {
        response.once("close", () => {
          if (!response.writableFinished) listener();
        });
      },
    };
  };
  const seal = () => {
    state.isSealed = true;
    endWhenDone(state);
  };
  return { part, add, release, seal };
}

function streamOf(state: BatchState): EventStream {
  if (state.stream) return state.stream;
  state.stream = openEventStream(state.call.response, state.call.headers);
  for (const each of state.responses.splice(0)) state.stream.write(each);
  return state.stream;
}

function endWhenDone(state: BatchState): void {
  const { request, response, headers } = state.call;
  if (!state.isSealed || state.open > 0 || response.writableEnded || response.destroyed) return;
  if (!state.stream && state.responses.length === 0) response.writeHead(202, headers).end();
  else if (state.stream || !acceptsJson(request)) streamOf(state).end();
  else sendJson(response, { status: 200, body: state.responses, headers });
}

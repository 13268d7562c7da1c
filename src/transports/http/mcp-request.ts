// One request of the protocol that the guard let in, and its body's message.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Principal } from "../../domain/call/principal.ts";
import type { Limits } from "../limits.ts";
import { readMessage } from "../message.ts";
import { discardRest, readBody } from "./body.ts";
import { type Headers, sendFault } from "./exchange.ts";
import { FULL, NOT_JSON, RETRY_SOON, sendWireError, toBodyFault } from "./faults.ts";

export interface McpRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly principal: Principal;
  readonly headers: Headers;
  /** Counts one more message. Returns the seconds to wait before it, 0 if it may pass. */
  readonly countMessage: () => number;
}

export interface RequestBounds {
  readonly limits: Limits;
  readonly maxBodyBytes: number;
  /** How long a body may take to arrive. */
  readonly bodyMs: number;
  readonly isFull: () => boolean;
}

/** The body's JSON; undefined if a refusal was sent. */
export async function readJson(
  call: McpRequest,
  { limits, maxBodyBytes: maxBytes, bodyMs: withinMs, isFull }: RequestBounds,
): Promise<{ readonly value: unknown } | undefined> {
  const { request, response, principal, headers } = call;
  const refuse = (fault: Parameters<typeof sendFault>[1]) => {
    sendFault(response, { ...fault, headers: { ...headers, ...fault.headers } });
    return undefined;
  };
  if (!isJson(request.headers["content-type"])) return refuse(NOT_JSON);
  if (isFull()) return refuse({ ...FULL, headers: RETRY_SOON });
  const bounds = { maxBytes, withinMs, inFlight: limits.inFlight, caller: principal.name };
  const body = await readBody(call, bounds);
  if (body.kind === "broken") {
    response.destroy();
    return undefined;
  }
  if (body.kind !== "read") {
    const fault = toBodyFault(body.kind, maxBytes);
    if (body.kind !== "too-slow") {
      discardRest(request);
      return refuse(fault);
    }
    return refuse({ ...fault, headers: { ...fault.headers, Connection: "close" } });
  }
  const read = readMessage(body.bytes);
  if (read.ok) return { value: read.value };
  sendWireError(response, read.error, headers);
  return undefined;
}

function isJson(contentType: string | undefined): boolean {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase() === "application/json";
}

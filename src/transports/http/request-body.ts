// The body of a request that the guard let in: read here, within the same limits on every route.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import type { Principal } from "../../domain/call/principal.ts";
import type { Limits } from "../limits.ts";
import { readMessage } from "../message.ts";
import { readBody, watchProgress } from "./body.ts";
import { type Fault, type Headers, sendFault } from "./exchange.ts";
import {
  FULL,
  NOT_JSON,
  RETRY_SOON,
  sendWireError,
  TOO_MANY_UPLOADS,
  toBodyFault,
} from "./faults.ts";

export interface AdmittedRequest {
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

type Answered = Pick<AdmittedRequest, "request" | "response" | "principal" | "headers">;

/** The body's JSON; undefined if a refusal was sent. */
export async function readJson(
  call: Answered,
  { limits, maxBodyBytes: maxBytes, bodyMs: withinMs, isFull }: RequestBounds,
): Promise<{ readonly value: unknown } | undefined> {
  const { request, response, principal, headers } = call;
  if (!isJson(request.headers["content-type"])) return refuse(call, NOT_JSON);
  if (isFull()) return refuse(call, { ...FULL, headers: RETRY_SOON });
  const bounds = { maxBytes, withinMs, inFlight: limits.inFlight, caller: principal.name };
  const body = await readBody(call, bounds);
  if (body.kind === "broken") {
    response.destroy();
    return undefined;
  }
  if (body.kind !== "read") return refuse(call, toBodyFault(body.kind, maxBytes));
  const read = readMessage(body.bytes);
  if (read.ok) return { value: read.value };
  sendWireError(response, read.error, headers);
  return undefined;
}

/**
 * The body as it arrives, for files; its reader bounds the size. Undefined if a refusal was sent. A body that hardly
 * progresses is cut off, so that slow senders cannot keep all places.
 */
export function openUpload(
  call: Answered,
  { limits: { uploads }, maxBodyBytes, bodyMs, isFull }: RequestBounds,
): Readable | undefined {
  const { request, response, principal } = call;
  if (isFull()) return refuse(call, { ...FULL, headers: RETRY_SOON });
  if (!uploads.take(principal.name, 1)) {
    return refuse(call, { ...TOO_MANY_UPLOADS, headers: RETRY_SOON });
  }
  response.once("close", () => uploads.give(principal.name, 1));
  watchProgress(call, bodyMs, () => refuse(call, toBodyFault("too-slow", maxBodyBytes)));
  return request;
}

function refuse({ response, headers }: Answered, fault: Fault): undefined {
  if (!response.headersSent) {
    sendFault(response, { ...fault, headers: { ...headers, ...fault.headers } });
  }
  return undefined;
}

function isJson(contentType: string | undefined): boolean {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase() === "application/json";
}

// The body of a request that the guard let in: read here, within the same limits on every route.
import type { IncomingMessage } from "node:http";
import type { Readable } from "node:stream";
import type { Principal } from "../../domain/call/principal.ts";
import type { Quota } from "../../domain/call/quota.ts";
import type { Limits } from "../limits.ts";
import { parseValue } from "../message.ts";
import { type Exchanged, type Fault, type Headers, sendFault, sendUnread } from "./exchange.ts";
import { FULL, NOT_JSON, TOO_MANY_UPLOADS, toBodyFault } from "./faults.ts";

export interface AdmittedRequest extends Exchanged {
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
  const { request, response, principal } = call;
  if (!isJson(request.headers["content-type"])) return refuse(call, NOT_JSON);
  if (isFull()) return refuse(call, FULL);
  const bounds = { maxBytes, withinMs, inFlight: limits.inFlight, caller: principal.name };
  const body = await readBody(call, bounds);
  if (body.kind === "broken") {
    response.destroy();
    return undefined;
  }
  if (body.kind !== "read") return refuse(call, toBodyFault(body.kind, maxBytes));
  const read = parseValue(body.bytes);
  if (read.ok) return { value: read.value };
  sendUnread(call, read.error);
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
  if (isFull()) return refuse(call, FULL);
  if (!uploads.take(principal.name, 1)) return refuse(call, TOO_MANY_UPLOADS);
  response.once("close", () => uploads.give(principal.name, 1));
  watchProgress(call, bodyMs, () => refuse(call, toBodyFault("too-slow", maxBodyBytes)));
  return request;
}

function refuse(call: Answered, fault: Fault): undefined {
  if (!call.response.headersSent) sendFault(call, fault);
  return undefined;
}

function isJson(contentType: string | undefined): boolean {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase() === "application/json";
}

type Body =
  | { readonly kind: "read"; readonly bytes: Buffer }
  | { readonly kind: "too-large" | "no-room" | "too-slow" | "broken" };

interface BodyBounds {
  readonly maxBytes: number;
  readonly withinMs: number;
  /** A quota in bytes, which are returned once the response was sent. */
  readonly inFlight: Quota;
  readonly caller: string;
}

/** Reads a body into memory within three limits: its size, its time, and the bytes of all bodies in flight. */
function readBody({ request, response }: Exchanged, bounds: BodyBounds): Promise<Body> {
  const declared = Number(request.headers["content-length"] ?? 0);
  if (declared > bounds.maxBytes) return Promise.resolve({ kind: "too-large" });
  const { promise, resolve } = Promise.withResolvers<Body>();
  const block = openBlock(bounds);
  response.once("close", block.release);
  const end = (body: Body) => {
    clearTimeout(deadline);
    request.off("data", take);
    if (body.kind !== "read") request.pause();
    resolve(body);
  };
  const take = (part: Buffer) => {
    const refusal = block.add(part, part.length === declared);
    if (refusal) end({ kind: refusal });
  };
  const deadline = setTimeout(() => end({ kind: "too-slow" }), bounds.withinMs);
  request.on("data", take);
  request.once("end", () => end({ kind: "read", bytes: block.bytes() }));
  request.once("error", () => end({ kind: "broken" }));
  request.once("aborted", () => end({ kind: "broken" }));
  return promise;
}

/** Per window. A line of 2G sends four times as much in a minute. */
const MIN_PROGRESS_BYTES = 64 * 1024;

/** Calls `onSlow` if fewer bytes arrive within a window, although everything before them has been taken. */
function watchProgress(
  { request, response }: Exchanged,
  windowMs: number,
  onSlow: () => void,
): void {
  const { socket } = request;
  const state = { bytes: socket.bytesRead };
  const watch = setInterval(() => {
    const arrived = socket.bytesRead - state.bytes;
    state.bytes = socket.bytesRead;
    // Bytes that wait here are delayed by this server, not by the client.
    const isWaiting = !request.complete && request.readableLength === 0;
    if (isWaiting && arrived < MIN_PROGRESS_BYTES) onSlow();
  }, windowMs);
  request.once("end", () => clearInterval(watch));
  response.once("close", () => clearInterval(watch));
}

// A client that is still sending after this long is cut off.
const DISCARD_MS = 1_000;

/**
 * Reads what the response did not wait for, without keeping it. Closing at once would reset the connection while the
 * client is sending, and many clients then report a broken connection instead of the response.
 */
export function discardRest(request: IncomingMessage): void {
  const { socket } = request;
  if (request.complete || socket.destroyed) return;
  const cutOff = setTimeout(() => socket.destroy(), DISCARD_MS).unref();
  request.once("end", () => clearTimeout(cutOff));
  request.once("close", () => clearTimeout(cutOff));
  request.resume();
}

const FIRST_BYTES = 16 * 1024;

/**
 * Parts are copied into one growing block. If they were kept separately, a body in parts of one byte would cost a
 * hundred times its size.
 */
function openBlock({ maxBytes, inFlight, caller }: BodyBounds) {
  const state: { block: Buffer; size: number } = { block: Buffer.alloc(0), size: 0 };
  const grow = (needed: number): boolean => {
    if (needed <= state.block.length) return true;
    const length = Math.min(maxBytes, Math.max(needed, state.block.length * 2, FIRST_BYTES));
    if (!inFlight.take(caller, length - state.block.length)) return false;
    const block = Buffer.allocUnsafe(length);
    state.block.copy(block, 0, 0, state.size);
    state.block = block;
    return true;
  };
  return {
    /** Most bodies arrive in one part, which is then used as the block. */
    add(part: Buffer, isWhole: boolean): "too-large" | "no-room" | undefined {
      const needed = state.size + part.length;
      if (needed > maxBytes) return "too-large";
      if (isWhole && state.size === 0) {
        if (!inFlight.take(caller, part.length)) return "no-room";
        state.block = part;
      } else {
        if (!grow(needed)) return "no-room";
        part.copy(state.block, state.size);
      }
      state.size = needed;
      return undefined;
    },
    bytes: () => state.block.subarray(0, state.size),
    release() {
      inFlight.give(caller, state.block.length);
      state.block = Buffer.alloc(0);
    },
  };
}

// JSON-RPC lines on stdin and stdout. Ends when stdin ends, after running calls have finished.
import type { Readable, Writable } from "node:stream";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { OWNER } from "../domain/call/principal.ts";
import { JSON_RPC } from "../domain/call/rpc-error.ts";
import type { Mcp } from "../mcp/mcp.ts";
import type { Log } from "../observe/log.ts";
import { BATCH_REVISION, type Batches, openBatches } from "./batches.ts";
import { type Listening, MAX_LISTENS, openListening } from "./listen.ts";
import { parseValue, refuse, revisionIn, toRpcMessage, toWireError } from "./message.ts";

export interface StdioOptions {
  readonly mcp: Mcp;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly stdin: Readable;
  readonly stdout: Writable;
}

const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
// How long running calls may take to end when the client or the user wants to stop.
const DRAIN_MS = 10_000;
// If the client is killed, another of its child processes may keep the pipe open.
const PARENT_CHECK_MS = 2_000;

/** Resolves when the connection has ended. */
export async function runStdio(options: StdioOptions): Promise<void> {
  const { mcp, log, signal, stdin, stdout } = options;
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const listening = openListening(mcp, OWNER);
  const wire = openWire({ stdin, stdout, listening, onEnd: end });
  const handle = serveStdio(
    () => mcp.createServer({ transport: "stdio", principal: OWNER, lasting: true }),
    {
      transport: wire,
      maxSubscriptions: MAX_LISTENS,
      onerror: (error) => log.debug("stdio.error", { error }),
    },
  );
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) wire.drain();
  }, PARENT_CHECK_MS);
  watch.unref();
  const stop = () => wire.drain();
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  await ended;
  clearInterval(watch);
  signal.removeEventListener("abort", stop);
  await handle.close();
}

interface Wire extends Transport {
  /** Accepts no more requests, and closes when the running ones have ended. */
  drain(): void;
}

interface WireParts extends Pick<StdioOptions, "stdin" | "stdout"> {
  readonly listening: Listening;
  readonly onEnd: () => void;
}

/** open ──drain──▶ draining ──all calls ended, or the time is up──▶ closed */
interface WireState {
  readonly running: Set<string | number>;
  phase: "open" | "draining" | "closed";
  hasResponded: boolean;
  /** Set once the handshake has agreed on the revision with batches. */
  batches?: Batches;
  drainTimer?: NodeJS.Timeout;
}

function openWire(parts: WireParts): Wire {
  const { stdin, stdout } = parts;
  const state: WireState = { running: new Set(), phase: "open", hasResponded: false };
  const close = () => closeWire(state, parts, wire);
  const closeWhenIdle = () => {
    if (state.running.size === 0) setImmediate(close);
  };
  const write = (message: unknown) => {
    if (state.phase !== "closed") stdout.write(`${JSON.stringify(message)}\n`);
  };
  const wire: Wire = {
    async start() {
      listen(stdin, openReader(state, wire, { listening: parts.listening, write }), wire.drain);
      stdin.on("error", close);
      stdout.on("error", close);
    },
    async send(message: JSONRPCMessage) {
      if (!state.batches?.keep(message)) write(message);
      if (!("method" in message) && message.id !== undefined) state.running.delete(message.id);
      if (state.phase === "draining") closeWhenIdle();
      if (state.hasResponded) return;
      state.hasResponded = true;
      if (revisionIn(message) !== BATCH_REVISION) return;
      state.batches = openBatches((responses) => responses.length > 0 && write(responses));
    },
    async close() {
      close();
    },
    drain() {
      if (state.phase !== "open") return;
      state.phase = "draining";
      // This timer also keeps the process alive, which could otherwise exit in the middle of its shutdown.
      state.drainTimer = setTimeout(close, DRAIN_MS);
      closeWhenIdle();
    },
  };
  return wire;
}

function listen(stdin: Readable, reader: LineReader, drain: () => void): void {
  stdin.on("data", (chunk: Buffer) => reader.push(chunk));
  stdin.on("end", () => {
    // The last line may have no newline.
    reader.push(Buffer.from("\n"));
    drain();
  });
  stdin.on("close", drain);
}

function openReader(
  state: WireState,
  wire: Wire,
  {
    listening,
    write,
  }: { readonly listening: Listening; readonly write: (message: unknown) => void },
): LineReader {
  /** Returns the refusal, if there is one. */
  const passOn = (message: JSONRPCMessage): unknown => {
    const fault = listening.check(message);
    if (fault) return toWireError(fault, message);
    if ("method" in message && "id" in message) state.running.add(message.id);
    else if ("method" in message && message.method === "notifications/cancelled") {
      forgetCancelled(state, message.params);
    }
    wire.onmessage?.(message);
    return undefined;
  };
  const takeOne = (value: unknown) => {
    const parsed = toRpcMessage(value);
    return parsed.ok ? passOn(parsed.message) : parsed.error;
  };
  return openLineReader({
    maxBytes: MAX_MESSAGE_BYTES,
    onTooLong: () =>
      write(refuse(JSON_RPC.invalidRequest, "The message is larger than 64 MB.").error),
    onLine: (line) => {
      if (state.phase !== "open") return;
      const read = parseValue(line);
      if (!read.ok) return write(read.error);
      const refusal =
        Array.isArray(read.value) && state.batches
          ? state.batches.take(read.value, passOn)
          : takeOne(read.value);
      if (refusal !== undefined) write(refusal);
    },
  });
}

function closeWire(state: WireState, { stdin, onEnd }: WireParts, wire: Wire): void {
  if (state.phase === "closed") return;
  state.phase = "closed";
  clearTimeout(state.drainTimer);
  stdin.pause();
  stdin.removeAllListeners("data");
  wire.onclose?.();
  onEnd();
}

/** A cancelled request never gets a response. */
function forgetCancelled({ running, batches }: WireState, params: unknown): void {
  const { requestId } = (params ?? {}) as { requestId?: string | number };
  if (requestId === undefined) return;
  running.delete(requestId);
  batches?.forget(requestId);
}

const NEWLINE = 0x0a;
/** JSON's white space. */
const BLANK: ReadonlySet<number> = new Set([0x20, 0x09, 0x0d]);

type LineReader = ReturnType<typeof openLineReader>;

interface LineReaderOptions {
  readonly maxBytes: number;
  /** Called with each line, without its line break; never with a blank one. */
  readonly onLine: (line: Buffer) => void;
  /** Called once for a line that is too long; the rest of the line is dropped. */
  readonly onTooLong: () => void;
}

/** Chunks of bytes → lines, without copying a long line again for each of its chunks. */
export function openLineReader({ maxBytes, onLine, onTooLong }: LineReaderOptions) {
  const state = { parts: [] as Buffer[], size: 0, isSkipping: false };

  const keep = (part: Buffer) => {
    if (state.isSkipping) return;
    state.size += part.length;
    if (state.size > maxBytes) {
      state.parts = [];
      state.isSkipping = true;
      onTooLong();
    } else state.parts.push(part);
  };
  const end = () => {
    const { parts, size } = state;
    if (!state.isSkipping && size > 0) {
      const line = parts.length === 1 ? parts[0] : Buffer.concat(parts, size);
      if (line?.some((byte) => !BLANK.has(byte))) onLine(line);
    }
    state.parts = [];
    state.size = 0;
    state.isSkipping = false;
  };

  return {
    push(chunk: Buffer) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        keep(chunk.subarray(from, at));
        end();
        from = at + 1;
      }
      if (from < chunk.length) keep(chunk.subarray(from));
    },
  };
}

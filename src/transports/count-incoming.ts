// Counts the bytes of a WebSocket message while it arrives; the library keeps its parts until it is complete.
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";
import type { Quota } from "../domain/call/quota.ts";

export interface Incoming {
  /** How long ago the first byte of an unfinished message arrived; 0 if there is none. */
  waitingMs(): number;
}

// The size of the header of a client's control frame.
const CONTROL_FRAME_BYTES = 6;

export function countIncoming(
  client: WebSocket,
  socket: Duplex,
  { inFlight, caller }: { readonly inFlight: Quota; readonly caller: string },
): Incoming {
  const state = { held: 0, since: 0 };
  const give = (bytes: number) => {
    const given = Math.min(bytes, state.held);
    inFlight.give(caller, given);
    state.held -= given;
  };
  // Added before the library's own listener, which reports the message that these bytes complete.
  socket.prependListener("data", (part: Buffer) => {
    if (state.held === 0) state.since = performance.now();
    if (inFlight.take(caller, part.length)) state.held += part.length;
    else {
      client.close(1013, "Too much data is being sent at once. Try again in a moment.");
      client.terminate();
    }
  });
  client.on("message", () => give(state.held));
  client.on("ping", (data: Buffer) => give(data.length + CONTROL_FRAME_BYTES));
  client.on("pong", (data: Buffer) => give(data.length + CONTROL_FRAME_BYTES));
  socket.once("close", () => give(state.held));
  return { waitingMs: () => (state.held === 0 ? 0 : performance.now() - state.since) };
}

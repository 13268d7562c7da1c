// Messages of a WebSocket take turns: one connection gets one message per turn of the event loop, so a burst of thousands
// holds up no other caller. A client that does not read its responses gets no more of them.
import type { Duplex } from "node:stream";
import type { WebSocket } from "ws";

/** More than clients leave unread while they work; a list of tools has about 40 KB. */
const MAX_UNREAD_BYTES = 1024 * 1024;

type Handle = (data: Buffer, isBinary: boolean) => void;

interface Turns {
  readonly client: WebSocket;
  readonly socket: Duplex;
  readonly handle: Handle;
  /** Messages that the library had read before the connection was paused. */
  readonly waiting: Parameters<Handle>[];
  /** True while the next message waits for the next turn, or for the client to read. */
  isHeld: boolean;
}

export function takeTurns(client: WebSocket, socket: Duplex, handle: Handle): void {
  const turns: Turns = { client, socket, handle, waiting: [], isHeld: false };
  client.on("message", (data: Buffer, isBinary: boolean) => {
    turns.waiting.push([data, isBinary]);
    if (turns.isHeld) client.pause();
    else takeTurn(turns);
  });
  client.on("close", () => {
    turns.waiting.length = 0;
  });
}

function takeTurn(turns: Turns): void {
  const { client, socket, handle, waiting } = turns;
  turns.isHeld = false;
  const next = waiting.shift();
  if (next === undefined) {
    client.resume();
    return;
  }
  turns.isHeld = true;
  handle(...next);
  const continueTurns = () => takeTurn(turns);
  setImmediate(() => {
    if (client.bufferedAmount > MAX_UNREAD_BYTES) socket.once("drain", continueTurns);
    else continueTurns();
  });
}

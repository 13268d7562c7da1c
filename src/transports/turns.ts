// Messages of a WebSocket take turns: one connection gets one message per turn of the event loop, so a burst of thousands
// holds up no other caller. While a client leaves responses unread, no further message of it is taken.
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
  const continueTurns = () => takeTurn(turns);
  const isUnread = client.bufferedAmount > MAX_UNREAD_BYTES;
  const next = isUnread ? undefined : waiting.shift();
  turns.isHeld = waiting.length > 0 || next !== undefined;
  if (next !== undefined) {
    handle(...next);
    setImmediate(continueTurns);
  } else if (turns.isHeld) socket.once("drain", continueTurns);
  else client.resume();
}

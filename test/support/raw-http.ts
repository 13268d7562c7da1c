// Raw HTTP, for peers that violate the protocol.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export async function dial(url: string): Promise<Socket> {
  const socket = connect({
    port: Number(new URL(url).port),
    host: "127.0.0.1",
    allowHalfOpen: true,
  });
  socket.on("error", () => {});
  await once(socket, "connect");
  return socket;
}

/** Everything that arrives until the server ends the connection. */
export async function readAll(socket: Socket): Promise<string> {
  let text = "";
  for await (const part of socket) text += String(part);
  return text;
}

/** The head of a POST whose body is announced as this many bytes. */
export const postHead = (bytes: number, more = "") =>
  `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n${more}\r\n`;

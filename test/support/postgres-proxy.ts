// A TCP proxy in front of PostgreSQL. What passes through it is up to the test.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface PostgresProxy {
  readonly url: string;
  close(): Promise<void>;
}

/** `relay` is called for each connection; when one side ends, so does the other. */
export async function openPostgresProxy(
  targetUrl: string,
  relay: (client: Socket, upstream: Socket) => void,
): Promise<PostgresProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    for (const [socket, other] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    relay(client, upstream);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(targetUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

// A TCP proxy that loses the answer to the first COMMIT: the database has committed, the client cannot know.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface LossyProxy {
  readonly url: string;
  /** How many answers were lost. */
  readonly lost: () => number;
  loseNext(): void;
  close(): Promise<void>;
}

export async function openLossyProxy(targetUrl: string): Promise<LossyProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let losing = false;
  let lost = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    let committing = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (bytes) => {
      if (losing && bytes.includes("commit")) {
        losing = false;
        committing = true;
      }
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      if (!committing) {
        client.write(bytes);
      } else if (bytes.includes("COMMIT\0")) {
        lost++;
        client.destroy();
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(targetUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    lost: () => lost,
    loseNext() {
      losing = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

// A TCP proxy that drops a COMMIT or the response to it, so the client cannot know whether the database committed.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface LossyProxy {
  readonly url: string;
  /** How many responses were dropped. */
  readonly lost: () => number;
  /** Forwards the next COMMIT and drops its response. */
  loseNext(): void;
  /** Drops the next COMMIT; after `meanwhile`, the client loses its connection. */
  holdNext(meanwhile: () => Promise<void>): void;
  close(): Promise<void>;
}

export async function openLossyProxy(targetUrl: string): Promise<LossyProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  const next: { isLost: boolean; held?: (() => Promise<void>) | undefined } = { isLost: false };
  let lost = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port || 5432), target.hostname);
    let committing = false;
    let isHeld = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        upstream.destroy();
        if (!isHeld) client.destroy();
      });
    }
    client.on("data", (bytes) => {
      const isCommit = bytes.includes("commit");
      const { held } = next;
      if (isCommit && held) {
        next.held = undefined;
        isHeld = true;
        void held().finally(() => client.destroy());
        return;
      }
      if (isCommit && next.isLost) {
        next.isLost = false;
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
      next.isLost = true;
    },
    holdNext(meanwhile) {
      next.held = meanwhile;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

// A network in front of PostgreSQL that can swallow everything: no bytes, no errors, as after a lost route.
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface SilentNetwork {
  readonly url: string;
  /** Connections that are open now go silent; `all`: new ones too. */
  swallow(which: "open" | "all"): void;
  restore(): void;
  close(): Promise<void>;
}

export async function openSilentNetwork(targetUrl: string): Promise<SilentNetwork> {
  const target = new URL(targetUrl);
  const state = { swallowsAll: false };
  const sockets = new Set<Socket>();
  const dead = new WeakSet<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    const pass = (from: Socket, to: Socket) => {
      from.on("data", (part) => {
        if (!dead.has(near)) to.write(part);
      });
      from.on("error", () => {});
      from.on("close", () => to.destroy());
    };
    pass(near, far);
    pass(far, near);
    for (const each of [near, far]) sockets.add(each);
    if (state.swallowsAll) dead.add(near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(targetUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    swallow(which) {
      for (const socket of sockets) dead.add(socket);
      state.swallowsAll = which === "all";
    },
    restore() {
      state.swallowsAll = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

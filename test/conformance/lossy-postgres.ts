// Networks in front of PostgreSQL that lose what a client must not lose.
import type { Socket } from "node:net";
import { openPostgresProxy, type PostgresProxy } from "../support/postgres-proxy.ts";

export interface LossyProxy extends PostgresProxy {
  /** How many responses were dropped. */
  readonly lost: () => number;
  /** Forwards the next COMMIT and drops its response. */
  loseNext(): void;
  /** Drops the next COMMIT; after `meanwhile`, the client loses its connection. */
  holdNext(meanwhile: () => Promise<void>): void;
}

/** Drops a COMMIT or the response to it, so the client cannot know whether the database committed. */
export async function openLossyProxy(targetUrl: string): Promise<LossyProxy> {
  const next: { isLost: boolean; held?: (() => Promise<void>) | undefined } = { isLost: false };
  let lost = 0;
  const proxy = await openPostgresProxy(targetUrl, (client, upstream) => {
    let committing = false;
    client.on("data", (bytes) => {
      const isCommit = bytes.includes("commit");
      const { held } = next;
      if (isCommit && held) {
        next.held = undefined;
        // The client keeps its connection until then, whatever happens to the other one.
        upstream.removeAllListeners("close");
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
  return {
    ...proxy,
    lost: () => lost,
    loseNext() {
      next.isLost = true;
    },
    holdNext(meanwhile) {
      next.held = meanwhile;
    },
  };
}

export interface SilentNetwork extends PostgresProxy {
  /** Connections that are open now go silent; `all`: new ones too. */
  swallow(which: "open" | "all"): void;
  restore(): void;
}

/** Can swallow everything: no bytes, no errors, as after a lost route. */
export async function openSilentNetwork(targetUrl: string): Promise<SilentNetwork> {
  const state = { swallowsAll: false };
  const clients = new Set<Socket>();
  const dead = new WeakSet<Socket>();
  const proxy = await openPostgresProxy(targetUrl, (client, upstream) => {
    clients.add(client);
    if (state.swallowsAll) dead.add(client);
    for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
      from.on("data", (part) => {
        if (!dead.has(client)) to.write(part);
      });
    }
  });
  return {
    ...proxy,
    swallow(which) {
      for (const client of clients) dead.add(client);
      state.swallowsAll = which === "all";
    },
    restore() {
      state.swallowsAll = false;
    },
  };
}

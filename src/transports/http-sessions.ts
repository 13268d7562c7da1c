// Sessions of clients that shook hands (revisions up to 2025-11-25): one protocol server each.
import { randomUUID } from "node:crypto";
import { isSame, type Principal } from "../domain/principal.ts";
import type { Mcp } from "../mcp/mcp.ts";
import { type Channel, openChannel } from "./http-channel.ts";

export interface Session {
  readonly id: string;
  readonly channel: Channel;
}

export interface Sessions {
  open(principal: Principal): Promise<Session>;
  /** Undefined when there is none, it is another principal's, or the principal's rights have changed since. */
  find(id: string, principal: Principal): Session | undefined;
  close(id: string): Promise<void>;
  closeAll(): Promise<void>;
  count(): number;
}

interface Held extends Session {
  readonly principal: Principal;
  readonly stop: () => Promise<void>;
  usedAt: number;
}

const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;
// About 30 KB each. Beyond it the one that has been idle longest makes room.
const MAX_SESSIONS = 5_000;

export function openSessions(mcp: Mcp): Sessions {
  const held = new Map<string, Held>();
  const close = async (id: string) => {
    const session = held.get(id);
    held.delete(id);
    await session?.stop();
  };
  const sweep = setInterval(() => {
    const before = performance.now() - IDLE_MS;
    for (const { id, channel, usedAt } of held.values()) {
      if (usedAt < before && !channel.busy()) void close(id);
    }
  }, SWEEP_MS);
  sweep.unref();

  return {
    async open(principal) {
      if (held.size >= MAX_SESSIONS) await close(longestIdle(held));
      const id = randomUUID();
      const channel = openChannel({ sessionId: id, shared: false });
      const server = mcp.createServer({ transport: "http", principal, lasting: true });
      await server.connect(channel);
      held.set(id, {
        id,
        channel,
        principal,
        usedAt: performance.now(),
        stop: () => server.close(),
      });
      return { id, channel };
    },
    find(id, principal) {
      const session = held.get(id);
      if (!session || !isSame(session.principal, principal)) return undefined;
      session.usedAt = performance.now();
      // Kept in the order of use.
      held.delete(id);
      held.set(id, session);
      return session;
    },
    close,
    async closeAll() {
      clearInterval(sweep);
      await Promise.all([...held.keys()].map(close));
    },
    count: () => held.size,
  };
}

function longestIdle(held: ReadonlyMap<string, Held>): string {
  for (const { id, channel } of held.values()) if (!channel.busy()) return id;
  return held.keys().next().value ?? "";
}

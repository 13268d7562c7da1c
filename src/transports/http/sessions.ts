// Sessions of clients that sent `initialize` (revisions up to 2025-11-25), with one protocol server each.
import { randomUUID } from "node:crypto";
import { isSame, type Principal } from "../../domain/call/principal.ts";
import { openQuota, type Quota, type QuotaLimits } from "../../domain/call/quota.ts";
import type { Mcp } from "../../mcp/mcp.ts";
import { SESSIONS } from "../limits.ts";
import { type Channel, openChannel } from "./channel.ts";

export interface Session {
  readonly id: string;
  readonly channel: Channel;
}

export type Sessions = ReturnType<typeof openSessions>;

interface HeldSession extends Session {
  readonly principal: Principal;
  readonly stop: () => Promise<void>;
  usedAt: number;
}

const IDLE_MS = 30 * 60_000;
const SWEEP_MS = 60_000;

interface SessionsState {
  readonly mcp: Mcp;
  readonly limits: QuotaLimits;
  /** In order of use, the longest unused first. */
  readonly held: Map<string, HeldSession>;
  readonly quota: Quota;
}

export function openSessions(mcp: Mcp, limits: QuotaLimits = SESSIONS) {
  const held = new Map<string, HeldSession>();
  const state: SessionsState = { mcp, limits, held, quota: openQuota(limits) };
  const sweep = setInterval(() => closeIdle(state), SWEEP_MS).unref();
  return {
    /** Undefined if the caller has reached its limit and all its sessions are in use. */
    open: (principal: Principal) => open(state, principal),
    /** Undefined if it does not exist, belongs to another principal, or the principal's rights have changed since. */
    find(id: string, principal: Principal): Session | undefined {
      const session = held.get(id);
      if (!session || !isSame(session.principal, principal)) return undefined;
      session.usedAt = performance.now();
      held.delete(id);
      held.set(id, session);
      return session;
    },
    close: (id: string) => close(state, id),
    async closeAll() {
      clearInterval(sweep);
      await Promise.all([...held.keys()].map((id) => close(state, id)));
    },
    count: () => held.size,
  };
}

async function open(state: SessionsState, principal: Principal): Promise<Session | undefined> {
  const { mcp, held, quota } = state;
  if (!quota.take(principal.name, 1)) {
    await makeRoom(state, principal.name);
    if (!quota.take(principal.name, 1)) return undefined;
  }
  try {
    const session = await connect(mcp, principal);
    held.set(session.id, session);
    return { id: session.id, channel: session.channel };
  } catch (thrown) {
    quota.give(principal.name, 1);
    throw thrown;
  }
}

async function connect(mcp: Mcp, principal: Principal): Promise<HeldSession> {
  const id = randomUUID();
  const channel = openChannel({ sessionId: id, shared: false });
  const server = mcp.createServer({ transport: "http", principal, lasting: true });
  await server.connect(channel);
  return { id, channel, principal, usedAt: performance.now(), stop: () => server.close() };
}

async function close({ held, quota }: SessionsState, id: string): Promise<void> {
  const session = held.get(id);
  if (!session) return;
  held.delete(id);
  quota.give(session.principal.name, 1);
  await session.stop();
}

/** A caller at its limit loses one of its own sessions; otherwise the caller with the most loses one. */
async function makeRoom(state: SessionsState, caller: string): Promise<void> {
  const { held, quota, limits } = state;
  const crowded = quota.heldBy(caller) >= limits.perCaller ? caller : mostOf(held, quota);
  const idle = longestIdle(held, crowded);
  if (idle !== undefined) await close(state, idle);
}

function closeIdle(state: SessionsState): void {
  const before = performance.now() - IDLE_MS;
  for (const { id, channel, usedAt } of state.held.values()) {
    if (usedAt < before && !channel.busy()) void close(state, id);
  }
}

function longestIdle(held: ReadonlyMap<string, HeldSession>, caller: string): string | undefined {
  for (const { id, channel, principal } of held.values()) {
    if (principal.name === caller && !channel.busy()) return id;
  }
  return undefined;
}

function mostOf(held: ReadonlyMap<string, HeldSession>, quota: Quota): string {
  let most = "";
  for (const { principal } of held.values()) {
    if (quota.heldBy(principal.name) > quota.heldBy(most)) most = principal.name;
  }
  return most;
}

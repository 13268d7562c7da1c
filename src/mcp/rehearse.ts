// A client's first calls would compile the whole way from the message to the tool and open the store: calls of our own
// take it first, in the background. They leave no line in the log and count in no metric.
import { setImmediate } from "node:timers/promises";
import {
  type JSONRPCMessage,
  LATEST_PROTOCOL_VERSION,
  type Server,
  type Transport,
} from "@modelcontextprotocol/server";
import type { Rehearsed } from "../tools/family.ts";

export interface Rehearsal {
  readonly calls: readonly Rehearsed[];
  /** False once there is no more to be gained. */
  readonly isEarly: () => boolean;
}

export async function rehearse(server: Server, { calls, isEarly }: Rehearsal): Promise<void> {
  const waiting = new Map<unknown, () => void>();
  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    send: async (message) => {
      if ("id" in message) waiting.get(message.id)?.();
    },
  };
  const ask = (id: number, method: string, params: Record<string, unknown>) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.set(id, resolve);
    transport.onmessage?.({ jsonrpc: "2.0", id, method, params } as JSONRPCMessage);
    return promise;
  };
  await server.connect(transport);
  try {
    const clientInfo = { name: "rehearsal", version: "1.0.0" };
    await ask(0, "initialize", {
      protocolVersion: LATEST_PROTOCOL_VERSION,
      capabilities: {},
      clientInfo,
    });
    for (const [at, call] of calls.entries()) {
      // Requests that have arrived go first.
      await setImmediate();
      if (!isEarly()) return;
      await ask(at + 1, "tools/call", { ...call });
    }
  } finally {
    await server.close();
  }
}

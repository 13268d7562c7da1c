// Sends messages to a server over each transport and collects the ids of its responses.
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { WebSocket } from "ws";

export interface Peer {
  /** Sends the messages and waits for a response to each expected id, or for the time-out. */
  exchange(
    texts: readonly string[],
    awaited: readonly (string | number)[],
    withinMs: number,
  ): Promise<ReadonlySet<string | number>>;
  close(): Promise<void>;
}

interface Answer {
  readonly id?: string | number | null;
  readonly method?: string;
}

export function stdioPeer(child: ChildProcessWithoutNullStreams): Peer {
  const inbox = openInbox();
  createInterface({ input: child.stdout }).on("line", inbox.take);
  return {
    async exchange(texts, awaited, withinMs) {
      for (const text of texts) {
        // A line break would split the message in two.
        if (!child.stdin.write(`${text.replaceAll("\n", " ")}\n`)) await once(child.stdin, "drain");
      }
      return inbox.wait(awaited, withinMs);
    },
    async close() {
      child.stdin.end();
    },
  };
}

export async function webSocketPeer(address: string): Promise<Peer> {
  const inbox = openInbox();
  let socket: WebSocket | undefined;
  // A bad frame may end the connection; a well-behaved client would reconnect.
  const connected = async () => {
    if (socket?.readyState === WebSocket.OPEN) return socket;
    socket = new WebSocket(address, "mcp");
    socket.on("message", (data) => inbox.take(String(data)));
    socket.on("error", () => {});
    await once(socket, "open");
    return socket;
  };
  await connected();
  return {
    async exchange(texts, awaited, withinMs) {
      const open = await connected();
      for (const text of texts) open.send(text);
      return inbox.wait(awaited, withinMs);
    },
    async close() {
      socket?.close();
    },
  };
}

const ACCEPT = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

/** Every second message belongs to a session. */
export async function httpPeer(address: string): Promise<Peer> {
  const opened = await fetch(address, { method: "POST", headers: ACCEPT, body: HANDSHAKE });
  const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
  const send = async (text: string, at: number, withinMs: number) => {
    const headers = at % 2 === 0 ? ACCEPT : { ...ACCEPT, ...session };
    const signal = AbortSignal.timeout(withinMs);
    const response = await fetch(address, { method: "POST", headers, body: text, signal });
    return (await response.text()).split("\n").flatMap((line) => {
      const { id } = parse(line.replace(/^data: ?/, "")) ?? {};
      return id === undefined || id === null ? [] : [id];
    });
  };
  return {
    async exchange(texts, _awaited, withinMs) {
      // A message without a response is missing from the ids; the others are still reported.
      const sent = texts.map((text, at) => send(text, at, withinMs).catch(() => []));
      return new Set((await Promise.all(sent)).flat());
    },
    async close() {},
  };
}

const HANDSHAKE = JSON.stringify({
  jsonrpc: "2.0",
  id: "handshake",
  method: "initialize",
  params: {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "fuzz", version: "1" },
  },
});

function openInbox() {
  const got = new Set<string | number>();
  let check = () => {};
  return {
    take(line: string) {
      const answer = parse(line);
      if (answer && answer.method === undefined && answer.id !== undefined && answer.id !== null) {
        got.add(answer.id);
        check();
      }
    },
    async wait(awaited: readonly (string | number)[], withinMs: number) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        check = () => {
          if (!awaited.every((id) => got.has(id))) return;
          clearTimeout(timer);
          resolve();
        };
        check();
      });
      const seen = new Set(got);
      got.clear();
      return seen;
    },
  };
}

function parse(line: string): Answer | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? (value as Answer) : undefined;
  } catch {
    return undefined;
  }
}

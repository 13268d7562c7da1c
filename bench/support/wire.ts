// The barest clients, so that what is measured is the server.
import { type ChildProcess, spawn } from "node:child_process";
import { Agent, request } from "node:http";
import { WebSocket } from "ws";

export interface Peer {
  /** Sends a request and gives back its whole answer as text. */
  ask(message: object): Promise<string>;
  close(): void;
}

const HELLO = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "bench", version: "1" },
  },
};

export function overStdio(args: readonly string[]): Peer {
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "ignore"] });
  let parts: Buffer[] = [];
  let answer: (text: string) => void = () => {};
  child.stdout.on("data", (part: Buffer) => {
    parts.push(part);
    if (part.at(-1) !== 0x0a) return;
    const text = Buffer.concat(parts).toString();
    parts = [];
    answer(text);
  });
  return {
    ask(message) {
      const { promise, resolve } = Promise.withResolvers<string>();
      answer = resolve;
      child.stdin.write(`${JSON.stringify(message)}\n`);
      return promise;
    },
    close: () => void child.kill("SIGKILL"),
  };
}

export async function shakeHands(peer: Peer): Promise<Peer> {
  await peer.ask(HELLO);
  return peer;
}

export async function startHttp(
  args: readonly string[],
): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  const url = await new Promise<string>((resolve) => {
    const listen = (part: Buffer) => {
      said += part;
      const found = /MCP:\s+(http:\S+)/.exec(said)?.[1];
      if (found === undefined) return;
      child.stderr.off("data", listen).resume();
      resolve(found);
    };
    child.stderr.on("data", listen);
  });
  return { url, child };
}

export function overHttp(url: string): Peer {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { hostname, port, pathname } = new URL(url);
  return {
    ask(message) {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const body = JSON.stringify(message);
      const headers = {
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(body),
      };
      const sent = request(
        { hostname, port, path: pathname, method: "POST", agent, headers },
        (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () => resolve(Buffer.concat(parts).toString()));
        },
      );
      sent.on("error", reject);
      sent.end(body);
      return promise;
    },
    close: () => agent.destroy(),
  };
}

export async function overWebSocket(url: string): Promise<Peer> {
  const socket = new WebSocket(url.replace("http", "ws"), "mcp", { perMessageDeflate: false });
  await new Promise((resolve) => socket.once("open", resolve));
  return {
    ask(message) {
      const { promise, resolve } = Promise.withResolvers<string>();
      socket.once("message", (data) => resolve(String(data)));
      socket.send(JSON.stringify(message));
      return promise;
    },
    close: () => socket.terminate(),
  };
}

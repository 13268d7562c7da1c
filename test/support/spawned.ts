// The program as its own process, and a real client on each of its transports.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import {
  Client,
  type ClientOptions,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import {
  listeningTransport,
  messagesOf,
  type TransportName,
  webSocketTransport,
} from "./clients.ts";
import { PROGRAM } from "./shipped.ts";

const PRELOADS = new URL("preloads/", import.meta.url);

export interface ServerPlace {
  readonly dataDir: string;
  readonly root: string;
  readonly token?: string;
  readonly config?: string;
  readonly tools?: string;
  /** Over HTTP only: fills a new knowledge base. */
  readonly samples?: boolean;
  /** Over HTTP only: no server of the suite loads the model, which takes longer than what it tests. */
  readonly isWithoutModel?: boolean;
}

export interface Connected {
  readonly client: Client;
  /** Every message from the server, as it came. */
  readonly messages: readonly JSONRPCMessage[];
  /** A tool's payload: the JSON of its text content. */
  call(name: string, args: object, options?: object): Promise<Record<string, unknown>>;
  close(): Promise<void>;
}

function flagsOf({ dataDir, root, token, config, tools, samples }: ServerPlace): readonly string[] {
  const secret = token === undefined ? [] : ["--token", token];
  const settings = config === undefined ? [] : ["--config", config];
  const families = tools === undefined ? [] : ["--tools", tools];
  const more = [...secret, ...settings, ...families, ...(samples ? ["--samples"] : [])];
  return ["--data-dir", dataDir, "--root", root, "--log-level", "error", ...more];
}

/** Starts a separate server for this client, on any transport. */
export async function connect(
  name: TransportName,
  place: ServerPlace,
  options: ClientOptions = {},
): Promise<Connected> {
  if (name === "stdio") {
    const command = { command: process.execPath, args: [PROGRAM, ...flagsOf(place)] };
    const transport = new StdioClientTransport({ ...command, cwd: place.root });
    const connected = await open(transport, options);
    const { pid } = transport;
    return {
      ...connected,
      async close() {
        await connected.close();
        await ended(pid);
      },
    };
  }
  const server = await startHttp(place);
  const connected = await connectTo(name, server.url);
  return {
    ...connected,
    async close() {
      await connected.close();
      await server.stop();
    },
  };
}

/** The client kills a server that is slow to end, and does not wait for that: its files may still change. */
async function ended(pid: number | null): Promise<void> {
  while (pid !== null && isRunning(pid)) await sleep(20);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

export async function connectTo(name: "http" | "websocket", url: string): Promise<Connected> {
  if (name === "websocket") return open(webSocketTransport(url.replace(/^http/, "ws")));
  const { transport, isListening } = listeningTransport(url);
  const connected = await open(transport);
  await isListening();
  return connected;
}

async function open(transport: Transport, options: ClientOptions = {}): Promise<Connected> {
  const client = new Client({ name: "e2e", version: "1.0.0" }, options);
  await client.connect(transport);
  const messages = messagesOf(transport);
  return {
    client,
    messages,
    async call(name, args, options = {}) {
      const result = await client.callTool(
        { name, arguments: { ...args } },
        { timeout: 280_000, ...options },
      );
      const [content] = result.content as readonly { readonly text: string }[];
      return JSON.parse(content?.text ?? "null") as Record<string, unknown>;
    },
    close: () => client.close(),
  };
}

export interface HttpServer {
  readonly url: string;
  readonly child: ChildProcess;
  /** What it has written to stderr so far, line by line. */
  readonly lines: readonly string[];
  stop(): Promise<void>;
  /** As a power cut would. */
  kill(): Promise<void>;
}

/** A file of `preloads/`, run in the server before anything else, with its environment variables. */
interface Preload {
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
}

export async function startHttp(place: ServerPlace, preload?: Preload): Promise<HttpServer> {
  const before = preload ? ["--import", new URL(preload.file, PRELOADS).href] : [];
  // Preloads follow the work by its log lines.
  const level = preload ? "debug" : "info";
  const args = [...before, PROGRAM, "http", "--port", "0", ...flagsOf(place), "--log-level", level];
  const child = spawn(process.execPath, args, {
    cwd: place.root,
    env: {
      ...process.env,
      ...(place.isWithoutModel && { KNOWLEDGE_MODEL_DIR: "/nowhere" }),
      ...preload?.env,
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  };
  const lines: string[] = [];
  const url = await readUrl(child, lines);
  return { url, child, lines, stop: () => end("SIGTERM"), kill: () => end("SIGKILL") };
}

function readUrl(child: ChildProcess, seen: string[]): Promise<string> {
  const lines = createInterface({ input: child.stderr as NodeJS.ReadableStream });
  return new Promise((resolve, reject) => {
    lines.on("line", (line) => {
      seen.push(line);
      const found = /https?:\/\/127\.0\.0\.1:\d+/.exec(line);
      if (found) resolve(`${found[0]}/mcp`);
    });
    child.once("exit", () => reject(new Error(`the server ended:\n${seen.join("\n")}`)));
  });
}

import { once } from "node:events";
import type { Command } from "./command.ts";

export const stdio: Command = {
  name: "stdio",
  effect: "serve",
  summary: "Serve MCP over stdio (default; this is what clients start)",
  usage: "[stdio]",
  options: {},
  examples: {
    "knowledge-server --kb-file handbook.txt": "serve a text file to a client",
  },
  run: ({ serve }) => serve("stdio"),
};

export const http: Command = {
  name: "http",
  effect: "serve",
  summary: "Serve MCP over HTTP and WebSocket at /mcp, with the console at /",
  usage: "http [--host ADDRESS] [--port N]",
  options: {},
  examples: {
    "knowledge-server http": "serve on http://127.0.0.1:3000/mcp",
    "KNOWLEDGE_TOKEN=… knowledge-server http --host 0.0.0.0": "serve other machines, with a token",
  },
  run: ({ serve }) => serve("http"),
};

export const worker: Command = {
  name: "worker",
  effect: "serve",
  summary: "Process queued documents, without serving clients",
  usage: "worker --database-url URL",
  options: {},
  examples: {
    "knowledge-server worker --database-url postgres://knowledge@db/knowledge":
      "help the servers on this database process documents",
  },
  async run({ openApp, signal, log }) {
    const app = await openApp();
    await app.startWork();
    log.info("worker.started");
    // A process that only waits for a signal would exit.
    const alive = setInterval(() => {}, 60_000);
    if (!signal.aborted) await once(signal, "abort");
    clearInterval(alive);
    log.info("worker.stopped");
    return 0;
  },
};

import type { Command } from "../command.ts";

export const http: Command = {
  name: "http",
  effect: "serve",
  summary: "Serve MCP over HTTP and WebSocket at /mcp, with the console at /",
  usage: "http [--host ADDRESS] [--port N]",
  options: {},
  examples: [
    { line: "knowledge-server http", does: "serve on http://127.0.0.1:3000/mcp" },
    {
      line: "KNOWLEDGE_TOKEN=… knowledge-server http --host 0.0.0.0",
      does: "serve other machines, with a token",
    },
  ],
  run: ({ serve }) => serve("http"),
};

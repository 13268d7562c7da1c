import type { Command } from "../command.ts";

export const stdio: Command = {
  name: "stdio",
  effect: "serve",
  summary: "Serve MCP over stdio (default; this is what clients start)",
  usage: "[stdio]",
  options: {},
  examples: [
    { line: "knowledge-server --kb-file handbook.txt", does: "serve a text file to a client" },
  ],
  run: ({ serve }) => serve("stdio"),
};

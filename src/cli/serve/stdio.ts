import type { Command } from "../command.ts";

export const stdio: Command = {
  name: "stdio",
  effect: "serve",
  summary: "Serve MCP over stdio (what clients start; the default)",
  usage: "[stdio]",
  options: {},
  examples: [
    { line: "knowledge-server --kb-file handbook.txt", does: "serve a text file to a client" },
  ],
  run: ({ serve }) => serve("stdio"),
};

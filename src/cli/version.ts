import type { Command } from "./command.ts";

export const version: Command = {
  name: "version",
  effect: "read",
  summary: "Print the version",
  usage: "version",
  options: {},
  examples: [{ line: "knowledge-server version --json", does: "for a script" }],
  async run({ terminal, about }) {
    if (terminal.asJson) terminal.json({ version: about.version, node: about.node });
    else terminal.line(`knowledge-server ${about.version} (Node ${about.node})`);
    return 0;
  },
};

import { KnowledgeError } from "../../domain/errors.ts";
import { unknownWord } from "../arguments.ts";
import type { Command } from "../command.ts";
import { bashScript } from "./bash.ts";
import { type Completions, completionsOf } from "./completions.ts";
import { fishScript } from "./fish.ts";
import { zshScript } from "./zsh.ts";

const SHELLS = new Map(
  Object.entries<(all: Completions) => string>({
    bash: bashScript,
    zsh: zshScript,
    fish: fishScript,
  }),
);

export const completion: Command = {
  name: "completion",
  effect: "read",
  summary: "Print a completion script for your shell",
  usage: "completion bash | zsh | fish",
  words: [...SHELLS.keys()],
  options: {},
  examples: [
    {
      line: "source <(knowledge-server completion bash)",
      does: "bash, zsh: put this line into ~/.bashrc or ~/.zshrc",
    },
    {
      line: "knowledge-server completion fish > ~/.config/fish/completions/knowledge-server.fish",
      does: "fish: loads it automatically",
    },
  ],
  async run({ args: [shell], about, terminal }) {
    if (shell === undefined) {
      const known = [...SHELLS.keys()].join(", ");
      throw new KnowledgeError("MISSING_REQUIRED_PARAMETER", `Specify your shell: ${known}.`);
    }
    const write = SHELLS.get(shell);
    if (write === undefined) throw unknownWord("completion for", shell, [...SHELLS.keys()]);
    terminal.document(write(await completionsOf(about)).trimEnd());
    return 0;
  },
};

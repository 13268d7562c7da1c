// Completion in three shells. Each asks the program what may come next, so the commands themselves decide.
import { missing } from "./arguments.ts";
import { type Command, type CommandContext, command, type Option } from "./command.ts";
import { refusal, type Speech, type Text } from "./texts.ts";

const BASH = `# bash completion for knowledge-server. Load it: source <(knowledge-server completion bash)
_knowledge_server() {
  local word cur=\${COMP_WORDS[COMP_CWORD]} IFS=$'\\n'
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    if [[ $word == :files ]]; then COMPREPLY+=($(compgen -f -- "$cur")); else COMPREPLY+=("$word"); fi
  done < <("\${COMP_WORDS[0]}" completion next -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o filenames -F _knowledge_server knowledge-server`;

const ZSH = `#compdef knowledge-server
# zsh completion for knowledge-server. Load it: source <(knowledge-server completion zsh)
_knowledge_server() {
  local line
  local -a offered
  for line in \${(f)"$($words[1] completion next -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"}; do
    if [[ $line == :files ]]; then _files; else offered+=("\${line/$'\\t'/:}"); fi
  done
  (( $#offered )) && _describe knowledge-server offered
}
if [[ $funcstack[1] == _knowledge_server ]]; then
  _knowledge_server "$@"
else
  compdef _knowledge_server knowledge-server
fi`;

const FISH = `# fish completion for knowledge-server. Load it: knowledge-server completion fish | source
function __knowledge_server
  set -l typed (commandline -opc) (commandline -ct)
  for line in ($typed[1] completion next -- $typed[2..] 2>/dev/null)
    if test "$line" = :files
      __fish_complete_path (commandline -ct)
    else
      echo $line
    end
  end
end
complete -c knowledge-server -f -k -a '(__knowledge_server)'`;

const SCRIPTS = new Map(Object.entries({ bash: BASH, zsh: ZSH, fish: FISH }));

export const completion = command({
  name: "completion",
  summary: "Print a completion script for your shell",
  effect: "read",
  usage: "completion bash | zsh | fish",
  words: [...SCRIPTS.keys()],
  options: {},
  examples: `
    source <(knowledge-server completion bash)  # bash, zsh: put this line into ~/.bashrc or ~/.zshrc
    knowledge-server completion fish > ~/.config/fish/completions/knowledge-server.fish  # fish: loads it automatically
  `,
  async run(context) {
    const [shell, ...typed] = context.args;
    const known = [...SCRIPTS.keys()].join(", ");
    if (shell === undefined) throw missing(known);
    if (shell === "next") {
      for (const line of await nextWords(typed, context)) context.terminal.document(line);
      return 0;
    }
    const script = SCRIPTS.get(shell);
    if (script === undefined)
      throw refusal(
        "INVALID_PARAMETER",
        "There is no completion for '{0}'. Use {1}.",
        shell,
        known,
      );
    context.terminal.document(script);
    return 0;
  },
});

interface OfferedOption extends Pick<Option, "short" | "choices"> {
  readonly name: string;
  readonly help: string;
  readonly takesValue: boolean;
}

const FILES = ":files";

/** What may be typed at the last of the words: lines of a word and what it means, or that files may come. */
async function nextWords(typed: readonly string[], { about, terminal }: CommandContext) {
  const commands = await Promise.all(Object.values(about.commands).map((load) => load()));
  const common = optionsOfAll(about, terminal);
  const valued = new Set(
    [...common, ...commands.flatMap((each) => optionsOf(each, terminal))]
      .filter(({ takesValue }) => takesValue)
      .flatMap(spellings),
  );
  const before = typed.slice(0, -1);
  const current = typed.at(-1) ?? "";
  const [name, ...args] = before.filter(
    (word, at) => !word.startsWith("-") && !valued.has(before[at - 1] ?? ""),
  );
  const chosen = commands.find((each) => each.name === name);
  const own = chosen ? optionsOf(chosen, terminal) : [];
  const others = common.filter((option) => !own.some((each) => each.name === option.name));
  const options = [...own, ...others];
  const last = before.at(-1) ?? "";
  const asked = options.find((option) => spellings(option).includes(last));
  const offer = (words: readonly (readonly [word: string, help: string])[]) =>
    words
      .filter(([word]) => word.startsWith(current))
      .map(([word, help]) => (help === "" ? word : `${word}\t${help.replaceAll("\n", " ")}`));
  if (asked?.takesValue) {
    const { choices = [] } = asked;
    return choices.length > 0 ? offer(choices.map((choice) => [choice, ""])) : [FILES];
  }
  if (current.startsWith("-"))
    return offer(options.flatMap((each) => spellings(each).map((word) => [word, each.help])));
  const summaries = commands.map((each) => [each.name, terminal.t(each.summary)] as const);
  if (name === undefined) return offer(summaries);
  if (chosen === undefined || args.length > 0) return chosen?.takesFiles ? [FILES] : [];
  if (name === "help") return offer([...summaries, ["settings", ""]]);
  if (chosen.words.length > 0) return offer(chosen.words.map((word) => [word, ""]));
  return chosen.takesFiles ? [FILES] : [];
}

/** The forms used on the command line: `--name` and `-n`. */
function spellings({ name, short }: OfferedOption): readonly string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
}

function optionsOf({ options }: Command, { t }: Pick<Speech, "t">): readonly OfferedOption[] {
  return Object.entries(options).map(([name, option]) => {
    return { ...option, name, help: t(option.help), takesValue: option.value !== undefined };
  });
}

function optionsOfAll(
  { settings }: CommandContext["about"],
  { t }: Pick<Speech, "t">,
): readonly OfferedOption[] {
  const flags = settings().flatMap(({ flag: name, help, isSwitch = false, choices = [] }) =>
    name === undefined ? [] : [{ name, help: t(help as Text), takesValue: !isSwitch, choices }],
  );
  const takesValue = false;
  return [
    { name: "json", help: t("print results as JSON"), takesValue },
    { name: "help", short: "h", help: t("show help"), takesValue },
    { name: "version", short: "v", help: t("print the version"), takesValue },
    ...flags,
  ];
}

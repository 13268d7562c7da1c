// Completion scripts for three shells, from the commands and the settings that all of them accept.
import { missing } from "./arguments.ts";
import type { About, Command } from "./command.ts";
import { optionHelp, refusal, type Speech } from "./texts.ts";

interface CompletedOption {
  readonly name: string;
  readonly short?: string | undefined;
  readonly help: string;
  readonly takesValue: boolean;
  /** The allowed values. If the list is empty, any value is allowed and completed as a file. */
  readonly choices: readonly string[];
}

interface CompletedCommand extends Pick<Command, "name"> {
  readonly summary: string;
  /** The allowed first arguments. */
  readonly words: readonly string[];
  readonly takesFiles: boolean;
  readonly own: readonly CompletedOption[];
  /** Its own options, then those of every command; each name once. */
  readonly options: readonly CompletedOption[];
}

interface Completions {
  readonly commands: readonly CompletedCommand[];
  /** Options that every command accepts. */
  readonly options: readonly CompletedOption[];
}

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
  usage: "completion bash | zsh | fish",
  words: [...SHELLS.keys()],
  options: {},
  examples: [
    "source <(knowledge-server completion bash)",
    "knowledge-server completion fish > ~/.config/fish/completions/knowledge-server.fish",
  ],
  async run({ args: [shell], about, terminal }) {
    const known = [...SHELLS.keys()].join(", ");
    if (shell === undefined) throw missing(known);
    const write = SHELLS.get(shell);
    if (write === undefined) throw refusal("INVALID_PARAMETER", "noCompletion", shell, known);
    terminal.document(write(await completionsOf(about, terminal.t)).trimEnd());
    return 0;
  },
};

async function completionsOf({ commands, settings }: About, t: Speech["t"]): Promise<Completions> {
  const loaded = await Promise.all(Object.values(commands).map((load) => load()));
  const names = loaded.map(({ name }) => name);
  const flags = settings.flatMap(({ flag, help, isSwitch = false, choices = [] }) =>
    flag === undefined ? [] : [{ name: flag, help, takesValue: !isSwitch, choices }],
  );
  const switches = [
    { name: "json" },
    { name: "help", short: "h" },
    { name: "version", short: "v" },
  ];
  const everywhere = switches.map(({ name, short }) => {
    return { name, short, help: optionHelp(t, "", name), takesValue: false, choices: [] };
  });
  const common: readonly CompletedOption[] = [...everywhere, ...flags];
  const toCompleted = (command: Command): CompletedCommand => {
    const { name, words = [], takesFiles = false, options } = command;
    const own = Object.entries(options).map(([option, { short, value, choices = [] }]) => ({
      ...{ name: option, short, choices, help: optionHelp(t, name, option) },
      takesValue: value !== undefined,
    }));
    const others = common.filter((option) => !Object.hasOwn(options, option.name));
    const first = name === "help" ? [...names, "settings"] : words;
    return { name, summary: t(name), words: first, takesFiles, own, options: [...own, ...others] };
  };
  return { commands: loaded.map(toCompleted), options: common };
}

/** The forms used on the command line: `--name` and `-n`. */
function spellings({ name, short }: CompletedOption): readonly string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
}

const list = (words: readonly string[]) => `"${words.join(" ")}"`;

/** Runs in bash 3.2 and later, because macOS still ships 3.2. */
function bashScript(all: Completions): string {
  const every = all.commands.flatMap(({ options }) => options);
  const valued = new Set(every.filter(({ takesValue }) => takesValue).flatMap(spellings));
  const values = [...valued].join("|");
  const cases = all.commands.map(({ name, words, takesFiles, options }) => {
    const files = takesFiles ? " files=1;" : "";
    return `    ${name}) words=${list(words)};${files} options=${list(options.flatMap(spellings))} ;;`;
  });
  return `# bash completion for knowledge-server. Load it: source <(knowledge-server completion bash)
_knowledge_server() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local command= words= options= files= position=0 i IFS=$' \\t\\n'
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${values}) ((i++)) ;;
      -*) ;;
      *) if [[ -z $command ]]; then command=\${COMP_WORDS[i]}; else ((position++)); fi ;;
    esac
  done
  case $command in
${cases.join("\n")}
    *) words=${list(all.commands.map(({ name }) => name))}; options=${list(all.options.flatMap(spellings))} ;;
  esac
  case $command$prev in
${bashChoices(all).join("\n")}
  esac
  case $prev in
    ${values}) words=; files=1 ;;
    *)
      ((position > 0)) && words=
      [[ -n $words ]] && files=
      [[ $cur == -* ]] && words=$options && files= ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  IFS=$'\\n'
  [[ -n $files ]] && COMPREPLY+=($(compgen -f -- "$cur"))
}
complete -o filenames -F _knowledge_server knowledge-server
`;
}

/** Two commands may have an option with the same name but different values. */
function bashChoices({ commands, options }: Completions): readonly string[] {
  return [...commands, { name: "*", own: options }].flatMap(({ name, own }) =>
    own
      .filter(({ choices }) => choices.length > 0)
      .map((option) => {
        const spelled = spellings(option).map((spelling) => `${name}${spelling}`);
        return `    ${spelled.join("|")}) COMPREPLY=($(compgen -W ${list(option.choices)} -- "$cur")); return ;;`;
      }),
  );
}

const zshQuote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

function zshSpec({ name, short, help, takesValue, choices }: CompletedOption): string {
  const text = `[${help.replace(/[[\]:]/g, (mark) => `\\${mark}`)}]`;
  const values = choices.length > 0 ? `(${choices.join(" ")})` : "_files";
  const value = takesValue ? `:${name}:${values}` : "";
  // Most options can be repeated, but zsh would hide them after their first use.
  const long = zshQuote(`*--${name}${text}${value}`);
  return short === undefined ? long : `${long} ${zshQuote(`*-${short}${text}${value}`)}`;
}

function zshScript(all: Completions): string {
  const cases = all.commands.map(({ name, words, takesFiles, own, options }) => {
    // The common options are listed once, unless the command defines one of them itself.
    const isShared = options.length === own.length + all.options.length;
    const specs = isShared ? [...own.map(zshSpec), "$common"] : options.map(zshSpec);
    if (words.length > 0) specs.push(zshQuote(`1:word:(${words.join(" ")})`));
    if (takesFiles) specs.push(zshQuote("*:file:_files"));
    return `      ${name}) _arguments ${specs.join(" ")} ;;`;
  });
  return `#compdef knowledge-server
# zsh completion for knowledge-server. Load it: source <(knowledge-server completion zsh)
_knowledge_server() {
  local context state line
  typeset -A opt_args
  local -a commands common
  common=(
    ${all.options.map(zshSpec).join("\n    ")}
  )
  commands=(
    ${all.commands.map(({ name, summary }) => zshQuote(`${name}:${summary}`)).join("\n    ")}
  )
  _arguments -C $common '1:command:->command' '*::argument:->argument' && return
  case $state in
    command) _describe -t commands command commands ;;
    argument) case $words[1] in
${cases.join("\n")}
    esac ;;
  esac
}
if [[ $funcstack[1] == _knowledge_server ]]; then
  _knowledge_server "$@"
else
  compdef _knowledge_server knowledge-server
fi
`;
}

function fishScript(all: Completions): string {
  const quote = (text: string) => `'${text.replace(/[\\']/g, (mark) => `\\${mark}`)}'`;
  const toSpec = ({ name, short, help, takesValue, choices }: CompletedOption) => {
    const letter = short === undefined ? "" : ` -s ${short}`;
    const values = choices.length > 0 ? ` -x -a ${quote(choices.join(" "))}` : " -r";
    return `-l ${name}${letter}${takesValue ? values : ""} -d ${quote(help)}`;
  };
  const seen = (...words: readonly string[]) => `__fish_seen_subcommand_from ${words.join(" ")}`;
  const none = `not ${seen(...all.commands.map(({ name }) => name))}`;
  const rules = all.commands.flatMap(({ name, summary, words, takesFiles, own }) => {
    const inside = seen(name);
    // If a command starts with a fixed word, files come after it.
    const files =
      takesFiles && words.length > 0
        ? [
            `-n '${inside}; and not ${seen(...words)}' -f`,
            `-n '${inside}; and ${seen(...words)}' -F`,
          ]
        : [`-n '${inside}' ${takesFiles ? "-F" : "-f"}`];
    return [
      `-f -n '${none}' -a ${name} -d ${quote(summary)}`,
      ...files,
      ...words.map((word) => `-n '${inside}' -f -a ${word}`),
      ...own.map((option) => `-n '${inside}' ${toSpec(option)}`),
    ];
  });
  return [
    "# fish completion for knowledge-server. Load it: knowledge-server completion fish | source",
    ...[...rules, ...all.options.map(toSpec)].map((rule) => `complete -c knowledge-server ${rule}`),
    "",
  ].join("\n");
}

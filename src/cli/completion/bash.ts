import { type CompletedOption, type Completions, optionsFor, spellings } from "./completions.ts";

/** Runs in bash 3.2 and later, because macOS still ships 3.2. */
export function bashScript(all: Completions): string {
  const every = all.commands.flatMap((command) => optionsFor(command, all));
  const valued = unique(every.filter(({ takesValue }) => takesValue).flatMap(spellings));
  return `# bash completion for knowledge-server. Load it: source <(knowledge-server completion bash)
_knowledge_server() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local command= words= options= files= position=0 i IFS=$' \\t\\n'
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${valued.join("|")}) ((i++)) ;;
      -*) ;;
      *) if [[ -z $command ]]; then command=\${COMP_WORDS[i]}; else ((position++)); fi ;;
    esac
  done
  case $command in
${all.commands.map((command) => commandCase(command, all)).join("\n")}
    *) words=${quote(all.commands.map(({ name }) => name))}; options=${quote(all.options.flatMap(spellings))} ;;
  esac
  case $command$prev in
${choiceCases(all).join("\n")}
  esac
  case $prev in
    ${valued.join("|")}) words=; files=1 ;;
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

function commandCase(command: Completions["commands"][number], all: Completions): string {
  const { name, words, takesFiles } = command;
  const options = optionsFor(command, all).flatMap(spellings);
  const files = takesFiles ? " files=1;" : "";
  return `    ${name}) words=${quote(words)};${files} options=${quote(options)} ;;`;
}

/** Completes an option's values. Two commands may have an option with the same name but different values. */
function choiceCases(all: Completions): readonly string[] {
  const line = (before: string) => (option: CompletedOption) =>
    `    ${spellings(option)
      .map((spelling) => `${before}${spelling}`)
      .join("|")}) COMPREPLY=($(compgen -W ${quote(option.choices)} -- "$cur")); return ;;`;
  const own = all.commands.flatMap(({ name, options }) =>
    options.filter(hasChoices).map(line(name)),
  );
  return [...own, ...all.options.filter(hasChoices).map(line("*"))];
}

function hasChoices({ choices }: CompletedOption): boolean {
  return choices.length > 0;
}

function quote(words: readonly string[]): string {
  return `"${words.join(" ")}"`;
}

function unique(words: readonly string[]): readonly string[] {
  return [...new Set(words)];
}

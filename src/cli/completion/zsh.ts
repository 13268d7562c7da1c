import { type CompletedOption, type Completions, optionsFor } from "./completions.ts";

export function zshScript(all: Completions): string {
  const commands = all.commands.map(({ name, summary }) => quote(`${name}:${summary}`));
  const cases = all.commands.map((command) => {
    const isOwn = new Set(command.options.map(({ name }) => name));
    // The common options are listed once, unless the command defines one of them itself.
    const specs = all.options.some(({ name }) => isOwn.has(name))
      ? optionsFor(command, all).map(optionSpec)
      : [...command.options.map(optionSpec), "$common"];
    return `      ${command.name}) _arguments ${[...specs, ...argumentSpecs(command)].join(" ")} ;;`;
  });
  return `#compdef knowledge-server
# zsh completion for knowledge-server. Load it: source <(knowledge-server completion zsh)
_knowledge_server() {
  local context state line
  typeset -A opt_args
  local -a commands common
  common=(
    ${all.options.map(optionSpec).join("\n    ")}
  )
  commands=(
    ${commands.join("\n    ")}
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

function optionSpec({ name, short, help, takesValue, choices }: CompletedOption): string {
  const text = `[${help.replace(/[[\]:]/g, (mark) => `\\${mark}`)}]`;
  const values = choices.length > 0 ? `(${choices.join(" ")})` : "_files";
  const value = takesValue ? `:${name}:${values}` : "";
  // Most options can be repeated, but zsh would hide them after their first use.
  const long = quote(`*--${name}${text}${value}`);
  return short === undefined ? long : `${long} ${quote(`*-${short}${text}${value}`)}`;
}

function argumentSpecs({ words, takesFiles }: Completions["commands"][number]): readonly string[] {
  const first = words.length > 0 ? [quote(`1:word:(${words.join(" ")})`)] : [];
  return takesFiles ? [...first, quote("*:file:_files")] : first;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

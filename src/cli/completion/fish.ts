import type { CompletedOption, Completions } from "./completions.ts";

export function fishScript(all: Completions): string {
  const names = all.commands.map(({ name }) => name).join(" ");
  const first = `-n 'not __fish_seen_subcommand_from ${names}'`;
  const lines = all.commands.flatMap(({ name, summary, words, takesFiles, options }) => {
    const inside = `-n '__fish_seen_subcommand_from ${name}'`;
    return [
      complete(`-f ${first} -a ${name} -d ${quote(summary)}`),
      ...fileRules({ name, words, takesFiles }),
      ...words.map((word) => complete(`${inside} -f -a ${word}`)),
      ...options.map((option) => complete(`${inside} ${optionSpec(option)}`)),
    ];
  });
  return [
    "# fish completion for knowledge-server. Load it: knowledge-server completion fish | source",
    ...lines,
    ...all.options.map((option) => complete(optionSpec(option))),
    "",
  ].join("\n");
}

/** If a command starts with a fixed word, files come after it. */
function fileRules({
  name,
  words,
  takesFiles,
}: Pick<Completions["commands"][number], "name" | "words" | "takesFiles">): readonly string[] {
  const inside = `__fish_seen_subcommand_from ${name}`;
  if (!takesFiles) return [complete(`-n '${inside}' -f`)];
  if (words.length === 0) return [complete(`-n '${inside}' -F`)];
  const chosen = `__fish_seen_subcommand_from ${words.join(" ")}`;
  return [
    complete(`-n '${inside}; and not ${chosen}' -f`),
    complete(`-n '${inside}; and ${chosen}' -F`),
  ];
}

function optionSpec({ name, short, help, takesValue, choices }: CompletedOption): string {
  const letter = short === undefined ? "" : ` -s ${short}`;
  const values = choices.length > 0 ? ` -x -a ${quote(choices.join(" "))}` : " -r";
  return `-l ${name}${letter}${takesValue ? values : ""} -d ${quote(help)}`;
}

function complete(rest: string): string {
  return `complete -c knowledge-server ${rest}`;
}

function quote(text: string): string {
  return `'${text.replace(/[\\']/g, (mark) => `\\${mark}`)}'`;
}

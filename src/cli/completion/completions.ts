// What a shell can complete: every command with its arguments and options, and the settings that all of them accept.
import type { About, Command } from "../command.ts";

export interface CompletedOption {
  readonly name: string;
  readonly short?: string | undefined;
  readonly help: string;
  readonly takesValue: boolean;
  /** The allowed values. If the list is empty, any value is allowed and completed as a file. */
  readonly choices: readonly string[];
}

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  /** The allowed first arguments. */
  readonly words: readonly string[];
  readonly takesFiles: boolean;
  readonly options: readonly CompletedOption[];
}

export interface Completions {
  readonly commands: readonly CompletedCommand[];
  /** Options that every command accepts. */
  readonly options: readonly CompletedOption[];
}

export async function completionsOf({ commands, settings }: About): Promise<Completions> {
  const loaded = await Promise.all(Object.values(commands).map((load) => load()));
  const names = loaded.map(({ name }) => name);
  const flags = settings.flatMap(({ flag, help, isSwitch = false, choices = [] }) =>
    flag === undefined ? [] : [{ name: flag, help, takesValue: !isSwitch, choices }],
  );
  const own = [
    { name: "json", help: "print results as JSON" },
    { name: "help", short: "h", help: "show help" },
    { name: "version", short: "v", help: "print the version" },
  ].map((option) => ({ ...option, takesValue: false, choices: [] }));
  return {
    commands: loaded.map((command) => toCompleted(command, names)),
    options: [...own, ...flags],
  };
}

function toCompleted(command: Command, names: readonly string[]): CompletedCommand {
  const { name, summary, words = [], takesFiles = false, options } = command;
  return {
    name,
    summary,
    words: name === "help" ? [...names, "settings"] : words,
    takesFiles,
    options: Object.entries(options).map(([option, { short, help, type, choices = [] }]) => ({
      ...{ name: option, short, help, choices },
      takesValue: type === "string",
    })),
  };
}

/** The command's own options come first, and each name appears once. */
export function optionsFor(
  command: CompletedCommand,
  all: Completions,
): readonly CompletedOption[] {
  const own = new Set(command.options.map(({ name }) => name));
  return [...command.options, ...all.options.filter(({ name }) => !own.has(name))];
}

/** The forms used on the command line: `--name` and `-n`. */
export function spellings({ name, short }: CompletedOption): readonly string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
}

// What a shell can complete: every command with its arguments and options, and the settings that all of them accept.
import type { About, Command } from "../command.ts";

export interface CompletedOption {
  readonly name: string;
  readonly short?: string | undefined;
  readonly help: string;
  readonly takesValue: boolean;
  /** The values it may have; none: any, completed as a file. */
  readonly choices: readonly string[];
}

export interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  /** What its first argument may be. */
  readonly words: readonly string[];
  readonly takesFiles: boolean;
  readonly options: readonly CompletedOption[];
}

export interface Completed {
  readonly commands: readonly CompletedCommand[];
  /** For every command. */
  readonly options: readonly CompletedOption[];
}

export async function wordsOf({ commands, settings }: About): Promise<Completed> {
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

/** The options of a command, its own first; the same name is here once. */
export function optionsFor(command: CompletedCommand, all: Completed): readonly CompletedOption[] {
  const own = new Set(command.options.map(({ name }) => name));
  return [...command.options, ...all.options.filter(({ name }) => !own.has(name))];
}

/** As the command line has it: `--name` and `-n`. */
export function spellings({ name, short }: CompletedOption): readonly string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
}

// A command is a value. It reaches data through the same tools as agents do.
import type { ParseArgsOptionDescriptor } from "node:util";
import type { ChangeEffect } from "../domain/call/audit-event.ts";
import type { Passage } from "../domain/passage.ts";
import type { Log } from "../observe/log.ts";
import type { Toolbox } from "../tools/family.ts";
import type { Terminal } from "./terminal/terminal.ts";
import type { TextKey } from "./texts.ts";

interface CommandOption extends Omit<ParseArgsOptionDescriptor, "type"> {
  /** The value's placeholder in the help: `--top-k N`. An option without one is a switch. */
  readonly value?: string;
  /** The allowed values, which shells offer as completions. */
  readonly choices?: readonly string[];
}

export type OptionValues = Readonly<
  Record<string, string | boolean | readonly (string | boolean)[] | undefined>
>;

/** The settings that commands use; the program's configuration has more. */
interface CommandConfig {
  readonly dataDir: string;
  readonly kbFile?: string | undefined;
  readonly databaseUrl?: string | undefined;
  readonly llmUrl?: string | undefined;
  readonly hooks?: "on" | "off" | undefined;
  readonly roots: readonly string[];
}

/** A toolbox with a lifetime: whoever opens it closes it. */
export interface OpenToolbox extends Toolbox {
  /** Starts processing queued tasks in the background. */
  startWork(): Promise<void>;
  close(): Promise<void>;
}

/** Facts about the program, for `version`, `help` and `doctor`. */
export interface About {
  readonly version: string;
  readonly node: string;
  readonly home: string;
  readonly platform: string;
  readonly settings: readonly {
    readonly flag?: string;
    readonly env?: string;
    readonly help: string;
    readonly choices?: readonly string[];
    /** The option takes no value. */
    readonly isSwitch?: true;
  }[];
  readonly commands: CommandList;
}

/** Commands by name; each is loaded on first use. */
export type CommandList = Readonly<Record<string, () => Promise<Command>>>;

export interface CommandContext {
  readonly about: About;
  /** The arguments after the command's name. */
  readonly args: readonly string[];
  readonly options: OptionValues;
  /** Resolves a path the way the person means it: not every shell expands `~`. */
  readonly path: (given: string) => string;
  readonly config: CommandConfig;
  readonly log: Log;
  readonly terminal: Terminal;
  /** Aborted by Ctrl-C or a request to stop. */
  readonly signal: AbortSignal;
  /** Whether Ctrl-C stopped the command, not a supervisor. */
  isInterrupted(): boolean;
  /** Opens the program's rooms on first use; the caller of `run` closes them. */
  openApp(): Promise<OpenToolbox>;
  /** By a running server of this knowledge base, which needs nothing opened here; undefined if there is none. */
  searchRunning(text: string, limit: number): Promise<readonly Passage[] | undefined>;
  /** Serves until the signal is aborted or the peer disconnects. */
  serve(transport: "stdio" | "http"): Promise<number>;
}

/** Those that have a text. */
type CommandName = NameOf<TextKey>;
type NameOf<Key> = Key extends `${infer Name}:examples` ? Name : never;

/** `serve` can change whatever its callers change, and processes queued tasks. */
type CommandEffect = "read" | "serve" | ChangeEffect;

export interface Command {
  readonly name: CommandName;
  /** The strongest effect that the command can have on the knowledge base. */
  readonly effect: CommandEffect;
  /** The part after the program's name: `add PATH… [--watch]`. */
  readonly usage: string;
  /** The allowed first arguments, if they are a fixed list. */
  readonly words?: readonly string[];
  /** The arguments are paths. */
  readonly takesFiles?: true;
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Maps a tool's parameter to a word of the usage, if no option has the parameter's name. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Command lines; what each does is in the texts, like the help of the command and its options. */
  readonly examples: readonly string[];
  /**
   * Returns the exit code. Failures are thrown as KnowledgeError; main.ts prints them and maps them
   * to a code.
   */
  run(context: CommandContext): Promise<number>;
}

// A command is a value: parsing, help and completion come from it. It reaches data through the same tools as agents do.
import type { ChangeEffect } from "../domain/call/audit-event.ts";
import type { Passage } from "../domain/passage.ts";
import type { Log } from "../observe/log.ts";
import type { Toolbox } from "../tools/family.ts";
import { chooseVerb, missing } from "./arguments.ts";
import type { Terminal } from "./terminal/terminal.ts";
import type { Text } from "./texts.ts";

/** Without a value it is a switch. */
export interface Option {
  readonly help: Text;
  readonly short?: string;
  /** The value's placeholder in the help: `--top-k N`. Any number of NAME… and KEY=VALUE may be given. */
  readonly value?: string;
  /** The allowed values. */
  readonly choices?: readonly string[];
  /** The value is a whole number from the first to the second. */
  readonly range?: readonly [least: number, most: number];
  /** It need not be whole. */
  readonly isFraction?: true;
}

export type Options = Readonly<Record<string, Option>>;

/** An option's value, as its declaration says. */
type ValueOf<Of extends Option> = Of extends { value: "KEY=VALUE" }
  ? Readonly<Record<string, unknown>>
  : Of extends { range: unknown }
    ? number | undefined
    : Of extends { value: `${string}…` }
      ? readonly string[]
      : Of extends { choices: readonly (infer Choice)[] }
        ? Choice | undefined
        : Of extends { value: string }
          ? string | undefined
          : boolean;

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
interface About {
  readonly version: string;
  readonly node: string;
  readonly home: string;
  readonly platform: string;
  readonly settings: () => readonly {
    readonly flag?: string;
    readonly env?: string;
    /** In English, with a text in Japanese. */
    readonly help: string;
    readonly choices?: readonly string[];
    /** The option takes no value. */
    readonly isSwitch?: true;
  }[];
  readonly commands: CommandList;
}

/** Commands by name; each is loaded on first use. */
export type CommandList = Readonly<Record<string, () => Promise<Command>>>;

/** Without its options for what every command may use. */
export interface CommandContext<Of extends Options = Record<never, Option>> {
  readonly about: About;
  /** The arguments after the command's name, or after its verb. */
  readonly args: readonly string[];
  readonly options: { readonly [Name in keyof Of]: ValueOf<Of[Name]> };
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

/** `serve` can change whatever its callers change, and processes queued tasks. */
type CommandEffect = "read" | "serve" | ChangeEffect;

/**
 * Returns the exit code. Failures are thrown as KnowledgeError; main.ts prints them and maps them to a code.
 */
type Run<Of extends Options> = (context: CommandContext<Of>) => Promise<number>;

interface Described<Of extends Options = Options> {
  readonly name: string;
  readonly summary: Text;
  /** The strongest effect that the command can have on the knowledge base. */
  readonly effect: CommandEffect;
  /** The part after the program's name: `add PATH… [--watch]`. */
  readonly usage: string;
  /** The arguments are paths. */
  readonly takesFiles?: true;
  readonly options: Of;
  /** Maps a tool's parameter to a word of the usage, if no option has the parameter's name. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Command lines, each with what it does: a text that has a Japanese one. */
  readonly examples: string;
}

export interface Command extends Described {
  /** The allowed first arguments, if they are a fixed list. */
  readonly words: readonly string[];
  run(context: CommandContext): Promise<number>;
}

interface Definition<Of extends Options> extends Described<Of> {
  /** What at least one argument must be: `QUERY`. */
  readonly needs?: string;
  readonly words?: readonly string[];
  readonly run: Run<Of>;
}

export function command<const Of extends Options>(definition: Definition<Of>): Command {
  const { needs, words = [], run, ...described } = definition;
  return {
    ...described,
    words,
    async run(context) {
      if (needs !== undefined && context.args.join("") === "") throw missing(needs);
      // Its options were read by the same declaration.
      return run(context as CommandContext<Of>);
    },
  };
}

interface WithVerbs<Of extends Options> extends Described<Of> {
  readonly verbs: Readonly<Record<string, Run<Of>>>;
  /** Taken if none is given. */
  readonly usual?: string;
}

/** Its first argument chooses what it does. */
export function commandWithVerbs<const Of extends Options>(definition: WithVerbs<Of>): Command {
  const { verbs, usual, ...described } = definition;
  return command({
    ...described,
    words: Object.keys(verbs),
    async run(context) {
      const [verb = usual, ...args] = context.args;
      return chooseVerb(described.name, verb, verbs)({ ...context, args });
    },
  });
}

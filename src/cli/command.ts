// A command is a value. It reaches data through the same tools as agents do.
import type { ParseArgsOptionDescriptor } from "node:util";
import type { ActEffect } from "../domain/call/act.ts";
import type { Log } from "../observe/log.ts";
import type { Toolbox } from "../tools/family.ts";
import type { Terminal } from "./terminal/terminal.ts";

interface CommandOption extends ParseArgsOptionDescriptor {
  readonly help: string;
  /** The placeholder of the value in the help: `--top-k N`. */
  readonly value?: string;
  /** The values it may have, for shells that complete them. */
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
    /** Without a value. */
    readonly isSwitch?: true;
  }[];
  readonly commands: CommandList;
}

/** By name; a command is loaded on first use. */
export type CommandList = Readonly<Record<string, () => Promise<Command>>>;

export interface CommandContext {
  readonly about: About;
  /** The arguments after the command's name. */
  readonly args: readonly string[];
  readonly options: OptionValues;
  /** A path as the person means it: not every shell expands `~`. */
  readonly path: (given: string) => string;
  readonly config: CommandConfig;
  readonly log: Log;
  readonly terminal: Terminal;
  /** Aborted by Ctrl-C or a request to stop. */
  readonly signal: AbortSignal;
  /** By Ctrl-C, rather than by a supervisor's request to stop. */
  isInterrupted(): boolean;
  /** Opens the program's rooms on first use; the caller of `run` closes them. */
  openApp(): Promise<OpenToolbox>;
  /** Serves until the signal or the peer ends it. */
  serve(transport: "stdio" | "http"): Promise<number>;
}

/** `serve` changes what its callers change, and works queued tasks. */
type CommandEffect = "read" | "serve" | ActEffect;

export interface Command {
  readonly name: string;
  /** The strongest effect it can have on the knowledge base. */
  readonly effect: CommandEffect;
  readonly summary: string;
  /** After the program's name: `add PATH… [--watch]`. */
  readonly usage: string;
  /** What its first argument may be, where that is a fixed list. */
  readonly words?: readonly string[];
  /** Its arguments are paths. */
  readonly takesFiles?: true;
  readonly options: Readonly<Record<string, CommandOption>>;
  /** Maps a tool's parameter to a word of the usage, if no option has the parameter's name. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly examples: readonly { readonly line: string; readonly does: string }[];
  /** The exit code. Failures are thrown as KnowledgeError: main.ts prints them and maps them to a code. */
  run(context: CommandContext): Promise<number>;
}

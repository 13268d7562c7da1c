// argv → a command's name, options and arguments. Errors suggest the nearest spelling.
import { type ParseArgsOptionDescriptor, parseArgs } from "node:util";
import { defined } from "../domain/defined.ts";
import { type ErrorCode, KnowledgeError } from "../domain/errors.ts";
import { nearest } from "../text/nearest.ts";
import type { Command } from "./command.ts";
import { isSaid, refusal, type Said, said } from "./texts.ts";

type Options = Readonly<Record<string, ParseArgsOptionDescriptor>>;

const GLOBAL_OPTIONS = {
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
} as const;

/** `--help` and `--version` are commands too; without a command the program serves stdio. */
export function chooseCommand(argv: readonly string[], flags: Options) {
  const { values, tokens } = parseArgs({
    args: [...argv],
    options: { ...flags, ...GLOBAL_OPTIONS },
    strict: false,
    tokens: true,
  });
  const named = tokens.find((token) => token.kind === "positional");
  const rest = named ? argv.toSpliced(named.index, 1) : argv;
  if (values["version"]) return { name: "version", args: [] };
  if (values["help"]) return { name: "help", args: named ? [named.value] : [] };
  return { name: named?.value ?? "stdio", args: rest };
}

export function parseArguments(command: Command, args: readonly string[], flags: Options) {
  const options = { ...flags, ...GLOBAL_OPTIONS, ...ownOptions(command) };
  refuseUnknown(command, args, options);
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true });
    // An argument of the command is not a setting, so its own message is shorter.
    const settings = Object.entries(parsed.values).filter(
      ([name]) => !Object.hasOwn(command.options, name),
    );
    return { ...parsed, settings: Object.fromEntries(settings) };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : "Invalid arguments.";
    // Drop Node's explanation of arguments that start with a dash: it rarely helps.
    const [first = ""] = message.split(" To specify a positional argument");
    throw badUsage(command, first);
  }
}

function ownOptions({ options }: Command): Options {
  const named = Object.entries(options).map(([name, { value, short, multiple = false }]) => {
    const type = value === undefined ? "boolean" : "string";
    return [name, { type, multiple, ...defined({ short }) }] as const;
  });
  return Object.fromEntries(named);
}

function refuseUnknown(command: Command, args: readonly string[], options: Options): void {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== "option" || Object.hasOwn(options, token.name)) continue;
    const own = nearest(token.name, Object.keys(command.options));
    const names = own.length > 0 ? own : nearest(token.name, Object.keys(options));
    const meant = didYouMean(names.map((name) => `--${name}`));
    throw badUsage(command, said("unknownOption", token.rawName, meant));
  }
}

function badUsage(
  { usage, name }: Command,
  message: string | Said,
  code: ErrorCode = "INVALID_PARAMETER",
): KnowledgeError {
  return refusal(code, "badUsage", message, usage, name);
}

/** The command needs more than was typed; `asTyped` adds its usage. */
export function missing(what: string): KnowledgeError {
  return refusal("MISSING_REQUIRED_PARAMETER", "missingArgument", what);
}

/** Rewords a failure in terms of what the person typed. */
export function asTyped(command: Command, thrown: unknown): unknown {
  if (!(thrown instanceof KnowledgeError)) return thrown;
  const { code, message, details, cause } = thrown;
  const own = details["said"];
  if (isSaid(own) && own.key === "missingArgument") return badUsage(command, own, code);
  const typed = messageAsTyped(command, message);
  return typed === message ? thrown : new KnowledgeError(code, typed, { details, cause });
}

// Matches `'filters.format': must be …` and `The parameter 'query' is required`, as run-tool.ts and
// the tools write them.
const PARAMETER = /(?:The parameter )?'([a-z_]+(?:\.\w+)*)'(?=:| is required)/g;

/** Tools name their own parameters, which the person never typed. */
export function messageAsTyped(command: Command, message: string): string {
  return message.replace(PARAMETER, (named, path: string) => typedName(command, path) ?? named);
}

function typedName({ options, parameters = {} }: Command, path: string): string | undefined {
  const parts = path.split(".").filter((part) => !/^\d+$/.test(part));
  const whole = parameters[parts.join(".")];
  if (whole !== undefined) return whole;
  const option = (parts.at(-1) ?? "").replaceAll("_", "-");
  if (Object.hasOwn(options, option)) return `--${option}`;
  const [first = "", ...rest] = parts;
  const outer = parameters[first];
  return outer === undefined ? undefined : `${outer} ${rest.join(".")}`;
}

/** Used for commands and for a command's first argument. */
export function unknownWord(
  what: Said,
  given: string,
  known: readonly string[],
  otherwise = said("seeHelp"),
): KnowledgeError {
  const names = nearest(given, known);
  const meant = names.length > 0 ? didYouMean(names) : otherwise;
  return refusal("INVALID_PARAMETER", "unknownWord", what, given, meant);
}

/** The part of a command that its first argument names. */
export function chooseVerb<Verb>(
  command: string,
  given: string | undefined,
  verbs: ReadonlyMap<string, Verb>,
): Verb {
  const verb = verbs.get(given ?? "");
  if (verb !== undefined) return verb;
  const known = [...verbs.keys()];
  const names = known.join(", ");
  if (given === undefined)
    throw refusal("MISSING_REQUIRED_PARAMETER", "chooseVerb", command, names);
  throw unknownWord(said("wordVerb", command), given, known, said("seeVerbs", names, command));
}

function didYouMean([first, second]: readonly string[]): Said | string {
  if (first === undefined) return "";
  return second === undefined ? said("didYouMean", first) : said("didYouMeanOr", first, second);
}

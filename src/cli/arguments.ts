// argv → a command's name, options and arguments. Errors suggest the nearest spelling.
import { homedir } from "node:os";
import { type ParseArgsOptionDescriptor, parseArgs } from "node:util";
import { defined } from "../domain/defined.ts";
import { type ErrorCode, KnowledgeError } from "../domain/errors.ts";
import { expandHome } from "../domain/home-path.ts";
import { similarIds } from "../text/similar-ids.ts";
import type { Command, Option } from "./command.ts";
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
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    // An argument of the command is not a setting, so its own message is shorter.
    const settings = Object.entries(values).filter(
      ([name]) => !Object.hasOwn(command.options, name),
    );
    return { values, positionals, settings: Object.fromEntries(settings) };
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : "";
    const option = /'(?:-\w, )?(--[\w-]+)/.exec(message)?.[1] ?? "";
    const takesNone = message.includes("does not take an argument");
    throw badUsage(command, said(takesNone ? "{0} takes no value." : "{0} needs a value.", option));
  }
}

type Given = string | boolean | readonly (string | boolean)[] | undefined;

/** What the command is called with: its options as it declares them, and paths the way the person means them. */
export function toContext(
  { options, takesFiles }: Pick<Command, "options" | "takesFiles">,
  values: Readonly<Record<string, Given>>,
  args: readonly string[],
) {
  const read: Record<string, unknown> = {};
  for (const [name, option] of Object.entries(options)) {
    read[name] = readOption(name, option, values[name]);
  }
  return {
    // Not every shell expands `~`.
    args: takesFiles ? args.map((path) => expandHome(path, homedir())) : args,
    options: read,
  };
}

function readOption(name: string, option: Option, given: Given): unknown {
  const { value, choices, range } = option;
  const texts = given === undefined ? [] : [given].flat().map(String);
  if (value === undefined) return given === true;
  if (value === PAIRS) return Object.fromEntries(texts.map((text) => readPair(name, text)));
  const read = texts.map((text) => {
    if (range) return readNumber(name, text, option);
    return choices ? readChoice(name, text, choices) : text;
  });
  return isRepeatable(option) ? read : read[0];
}

function readNumber(name: string, given: string, { range, isFraction }: Option): number {
  const [least, most] = range ?? [0, 0];
  const value = given.trim() === "" ? Number.NaN : Number(given);
  if (value >= least && value <= most && (isFraction || Number.isInteger(value))) return value;
  if (most === Number.MAX_SAFE_INTEGER)
    throw refusal(
      "INVALID_PARAMETER",
      "--{0} takes a whole number of at least {1}.",
      name,
      String(least),
    );
  const text = isFraction
    ? "--{0} takes a number from {1} to {2}."
    : "--{0} takes a whole number from {1} to {2}.";
  throw refusal("INVALID_PARAMETER", text, name, least, most);
}

/** A value that is JSON is taken as JSON. */
function readPair(name: string, text: string): readonly [string, unknown] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at).trim(), readValue(text.slice(at + 1).trim())];
  throw refusal("INVALID_PARAMETER", "--{0} takes KEY=VALUE, not '{1}'.", name, text);
}

function readValue(text: string): unknown {
  if (!/^(true|false|-?\d+(\.\d+)?|\[.*\])$/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    // Looks like a list, but is a text in brackets.
    return text;
  }
}

function readChoice(name: string, given: string, choices: readonly string[]): string {
  const chosen = choices.find((each) => each.toLowerCase() === given.toLowerCase());
  if (chosen !== undefined) return chosen;
  throw refusal("INVALID_PARAMETER", "--{0}: must be one of {1}.", name, choices.join(", "));
}

function ownOptions({ options }: Command): Options {
  const named = Object.entries(options).map(([name, option]) => {
    const type = option.value === undefined ? "boolean" : "string";
    const { short } = option;
    return [name, { type, multiple: isRepeatable(option), ...defined({ short }) }] as const;
  });
  return Object.fromEntries(named);
}

const PAIRS = "KEY=VALUE";

function isRepeatable({ value = "" }: Option): boolean {
  return value === PAIRS || value.endsWith("…");
}

function refuseUnknown(command: Command, args: readonly string[], options: Options): void {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== "option" || Object.hasOwn(options, token.name)) continue;
    const own = similarIds(token.name, Object.keys(command.options));
    const names = own.length > 0 ? own : similarIds(token.name, Object.keys(options));
    const meant = didYouMean(names.map((name) => `--${name}`));
    throw badUsage(command, said("Unknown option '{0}'.{1}", token.rawName, meant));
  }
}

function badUsage(
  { usage, name }: Command,
  message: string | Said,
  code: ErrorCode = "INVALID_PARAMETER",
): KnowledgeError {
  return refusal(
    code,
    "{0}\nUsage: knowledge-server {1}\nMore:  knowledge-server help {2}",
    message,
    usage,
    name,
  );
}

/** The command needs more than was typed; `asTyped` adds its usage. */
export function missing(what: string): KnowledgeError {
  return refusal("MISSING_REQUIRED_PARAMETER", "Missing: {0}.", what);
}

/** Rewords a failure in terms of what the person typed. */
export function asTyped(command: Command, thrown: unknown): unknown {
  if (!(thrown instanceof KnowledgeError)) return thrown;
  const { code, message, details, cause } = thrown;
  const own = details["said"];
  if (isSaid(own) && own.text === "Missing: {0}.") return badUsage(command, own, code);
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
  otherwise = said(" See knowledge-server --help."),
): KnowledgeError {
  const names = similarIds(given, known);
  const meant = names.length > 0 ? didYouMean(names) : otherwise;
  return refusal("INVALID_PARAMETER", "There is no {0} '{1}'.{2}", what, given, meant);
}

/** The part of a command that its first argument names. */
export function chooseVerb<Verb>(
  command: string,
  given: string | undefined,
  verbs: Readonly<Record<string, Verb>>,
): Verb {
  const verb = Object.hasOwn(verbs, given ?? "") ? verbs[given ?? ""] : undefined;
  if (verb !== undefined) return verb;
  const known = Object.keys(verbs);
  const names = known.join(", ");
  if (given === undefined)
    throw refusal("MISSING_REQUIRED_PARAMETER", "Choose a {0} command: {1}.", command, names);
  const see = said(" Use {0}: knowledge-server help {1}.", names, command);
  throw unknownWord(said("{0} command", command), given, known, see);
}

/** The only argument of a command that takes one. */
export function onlyArgument([given, ...rest]: readonly string[], what: string): string {
  if (given !== undefined && rest.length === 0) return given;
  throw missing(what);
}

function didYouMean([first, second]: readonly string[]): Said | string {
  if (first === undefined) return "";
  return second === undefined
    ? said(" Did you mean {0}?", first)
    : said(" Did you mean {0} or {1}?", first, second);
}

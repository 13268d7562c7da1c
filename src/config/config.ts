// Flags > environment > file > defaults, parsed once; all problems are reported at once.
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import { ZodEnum, type z } from "zod";
import { defined } from "../domain/defined.ts";
import { KnowledgeError } from "../domain/errors.ts";
import { type PathBase, toAbsolutePath } from "../domain/home-path.ts";
import { issueMessage } from "../domain/input-issue.ts";
import { type Message, toEnglish, toMessage } from "../domain/phrases/messages.ts";
import { type Config, type Place, SETTINGS, type Setting } from "./settings.ts";

export { type Config, type Place, SETTINGS } from "./settings.ts";

export type Flags = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

interface ConfigFlag {
  type: "string" | "boolean";
  multiple?: boolean;
}

/** For `parseArgs`: every setting that has a flag. */
export function configFlags(): Record<string, ConfigFlag> {
  const flags: Record<string, ConfigFlag> = {};
  for (const { flag, split, isSwitch } of settings()) {
    if (flag === undefined) continue;
    const type = isSwitch ? "boolean" : "string";
    flags[flag] = split ? { type, multiple: true } : { type };
  }
  return flags;
}

/** For `help` and completions. */
export function describeSettings() {
  return settings().map(({ flag, env, help, schema, isSwitch }) =>
    defined({ help, choices: choicesOf(schema), flag, env, isSwitch }),
  );
}

/** The allowed values if the schema lists them, otherwise none. */
function choicesOf(schema: z.core.$ZodType): readonly string[] {
  if (schema instanceof ZodEnum) return schema.options.map(String);
  const { innerType } = schema._zod.def as { innerType?: z.core.$ZodType };
  return innerType === undefined ? [] : choicesOf(innerType);
}

/** Rejects with CONFIG_INVALID, its message listing every problem. */
export async function loadConfig(flags: Flags, place: Place): Promise<Config> {
  const problems: Problem[] = [];
  const configPath = configPathOf(flags, place);
  const file = await readConfigFile(configPath, problems);
  const config: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries<Setting>(SETTINGS)) {
    const found = find(name, setting, { flags, place, file });
    const parsed = setting.schema.safeParse(found.value);
    const base = { home: place.home, folder: found.inFile ? dirname(configPath.path) : place.cwd };
    if (parsed.success) config[name] = setting.isPath ? withPaths(parsed.data, base) : parsed.data;
    else problems.push(...parsed.error.issues.map((issue) => describe(issue, found.from, setting)));
  }
  for (const name of Object.keys(file)) {
    if (!Object.hasOwn(SETTINGS, name))
      problems.push(stated(`the settings file has an unknown key '${name}'`));
  }
  if (problems.length > 0) throw refuse(problems);
  return Object.freeze(config) as Config;
}

/** Strings, lists of strings, and lists of objects with a `path`. */
function withPaths(value: unknown, base: PathBase): unknown {
  if (typeof value === "string") return toAbsolutePath(value, base);
  if (Array.isArray(value)) return value.map((each) => withPaths(each, base));
  if (typeof value !== "object" || value === null) return value;
  return "path" in value ? { ...value, path: withPaths(value.path, base) } : value;
}

interface Sources {
  readonly flags: Flags;
  readonly place: Place;
  readonly file: Readonly<Record<string, unknown>>;
}

function find(name: string, setting: Setting, { flags, place, file }: Sources) {
  const { flag, env, split, fallback } = setting;
  const given = flag === undefined ? undefined : flags[flag];
  if (given !== undefined) {
    const value = Array.isArray(given) && split ? given.flatMap(split) : given;
    return { value, from: `--${flag}` };
  }
  // A blank variable counts as not set: clients' configuration files often contain them.
  const variable = env === undefined ? "" : (place.env[env] ?? "");
  if (variable.trim() !== "")
    return { value: split ? split(variable) : variable, from: env ?? name };
  if (file[name] !== undefined)
    return { value: file[name], from: `'${name}' in the settings file`, inFile: true };
  return { value: fallback?.(place), from: `--${flag ?? name}` };
}

interface ConfigPath {
  readonly path: string;
  /** False for the default path, where the file may be missing. */
  readonly asked: boolean;
}

function configPathOf(flags: Flags, place: Place): ConfigPath {
  const { value } = find("configFile", SETTINGS.configFile, { flags, place, file: {} });
  const path = toAbsolutePath(String(value), { home: place.home, folder: place.cwd });
  return { path, asked: value !== SETTINGS.configFile.fallback?.(place) };
}

async function readConfigFile(
  { path, asked }: ConfigPath,
  problems: Problem[],
): Promise<Record<string, unknown>> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    const missing = (cause as NodeJS.ErrnoException).code === "ENOENT";
    if (asked || !missing) problems.push(stated(`the settings file ${path} cannot be read`));
    return {};
  }
  try {
    // A CommonJS package: bundled or not, its names are on the default export.
    const { default: yaml } = await import("yaml");
    const parsed: unknown = yaml.parse(text) ?? {};
    if (typeof parsed === "object" && !Array.isArray(parsed)) return { ...parsed };
    problems.push(stated(`the settings file ${path} must be a map of names to values`));
  } catch {
    problems.push(stated(`the settings file ${path} is neither JSON nor YAML`));
  }
  return {};
}

/** What is wrong, and with which setting. */
interface Problem {
  readonly where?: string;
  readonly what: Message;
}

function stated(problem: string): Problem {
  return { what: toMessage("stated", problem) };
}

function describe(issue: z.core.$ZodIssue, from: string, setting: Setting): Problem {
  // The index within a list from one flag or variable does not help the reader.
  const inside = setting.split === undefined ? issue.path : issue.path.slice(1);
  const where = inside.length === 0 ? from : `${from} (${inside.join(".")})`;
  const variable = setting.env !== undefined && from.startsWith("--") ? ` / ${setting.env}` : "";
  return { where: `${where}${variable}`, what: issueMessage(issue) };
}

function refuse(problems: readonly Problem[]): KnowledgeError {
  const list = problems.map(
    ({ where, what }) => `\n  - ${where ? `${where}: ` : ""}${toEnglish(what)}`,
  );
  const message = `The configuration cannot be used:${list.join("")}`;
  return new KnowledgeError("CONFIG_INVALID", message, { details: { problems } });
}

function settings(): readonly Setting[] {
  return Object.values(SETTINGS);
}

import type { OptionValues } from "./command.ts";
import { refusal } from "./texts.ts";

/** Reads an option's number. The error names the option if the value is not a number or out of range. */
export function readNumber(
  options: OptionValues,
  name: string,
  { least, most, whole = true }: { least: number; most: number; whole?: boolean },
): number | undefined {
  const given = options[name];
  if (given === undefined) return undefined;
  const value = typeof given === "string" && given.trim() !== "" ? Number(given) : Number.NaN;
  if (value >= least && value <= most && (!whole || Number.isInteger(value))) return value;
  if (most === Number.MAX_SAFE_INTEGER)
    throw refusal("INVALID_PARAMETER", "takesWholeFrom", name, least);
  throw refusal("INVALID_PARAMETER", whole ? "takesWhole" : "takesNumber", name, least, most);
}

/**
 * Reads `--meta key=value` and `--tag name` as metadata or filters. Values that parse as JSON are
 * used as JSON.
 */
export function readPairs(options: OptionValues, name: string): Readonly<Record<string, unknown>> {
  const pairs = listOf(options[name]).map((text) => {
    const at = text.indexOf("=");
    if (at > 0) return [text.slice(0, at).trim(), readValue(text.slice(at + 1).trim())] as const;
    throw refusal("INVALID_PARAMETER", "takesPair", name, text);
  });
  return Object.fromEntries(pairs);
}

export function listOf(value: OptionValues[string]): readonly string[] {
  return value === undefined ? [] : [value].flat().map(String);
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

/** One of the values that an option allows. */
export function readChoice<Choice extends string>(
  options: OptionValues,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const given = options[name];
  if (given === undefined) return undefined;
  const chosen = choices.find((each) => each.toLowerCase() === String(given).toLowerCase());
  if (chosen !== undefined) return chosen;
  throw refusal("INVALID_PARAMETER", "takesOneOf", name, choices.join(", "));
}

/** The given option as an argument of the same name; nothing if it was not given. */
export function textOption<Name extends string>(
  options: OptionValues,
  name: Name,
): { readonly [Key in Name]?: string } {
  const given = options[name];
  const option: { [Key in Name]?: string } = {};
  if (typeof given === "string") option[name] = given;
  return option;
}

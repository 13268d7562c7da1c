import { KnowledgeError } from "../domain/errors.ts";
import type { OptionValues } from "./command.ts";

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
  const kind = whole ? "a whole number" : "a number";
  const range =
    most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
  throw new KnowledgeError("INVALID_PARAMETER", `--${name} takes ${kind} ${range}.`);
}

/**
 * Reads `--meta key=value` and `--tag name` as metadata or filters. Values that parse as JSON are
 * used as JSON.
 */
export function readPairs(options: OptionValues, name: string): Readonly<Record<string, unknown>> {
  const pairs = listOf(options[name]).map((text) => {
    const at = text.indexOf("=");
    if (at > 0) return [text.slice(0, at).trim(), readValue(text.slice(at + 1).trim())] as const;
    throw new KnowledgeError("INVALID_PARAMETER", `--${name} takes KEY=VALUE, not '${text}'.`);
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

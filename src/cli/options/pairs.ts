import { KnowledgeError } from "../../domain/errors.ts";
import type { OptionValues } from "../command.ts";

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

import { KnowledgeError } from "../../domain/errors.ts";
import type { OptionValues } from "../command.ts";

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

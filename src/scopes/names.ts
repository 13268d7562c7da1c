// What ids, names and contents may look like, wherever they come from: a tool, a file, the store.
import { KnowledgeError } from "../domain/errors.ts";
import {
  RULE_LIMITS as LIMITS,
  type NameFault,
  nameFault,
  type RuleText,
  toName,
} from "../domain/scope.ts";

export { toName };

/** Converts line ends to LF and removes what no store can keep (NUL, lone surrogates). */
export function toContent(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "").replace(/\r\n?/g, "\n").trim();
}

export function toDescription(text: string): string {
  return toName(text.toWellFormed().replaceAll("\u0000", "").replace(/\s+/g, " "));
}

const REASONS: Readonly<Record<NameFault, (kind: RuleText, value: string) => string>> = {
  empty: (kind) => `the ${kind} is empty`,
  "too-long": (kind, { length }) =>
    `the ${kind} has ${length} characters; at most ${LIMITS[kind]} are allowed`,
  control: (kind) => `the ${kind} contains a control character or a line break`,
  slash: () => 'a category\'s name cannot contain "/"',
};

/** Returns why the value is refused, or undefined. Expects the output of `toName` or `toContent`. */
export function fault(kind: RuleText, value: string): string | undefined {
  const found = nameFault(kind, value);
  return found === undefined ? undefined : REASONS[found](kind, value);
}

function cleaned(kind: RuleText, value: string): string {
  if (kind === "content") return toContent(value);
  return kind === "description" ? toDescription(value) : toName(value);
}

export function accept(kind: RuleText, value: string, parameter: string): string {
  const clean = cleaned(kind, value);
  const reason = fault(kind, clean);
  if (reason !== undefined) {
    throw new KnowledgeError("INVALID_PARAMETER", `${parameter}: ${reason}.`, {
      details: { parameter },
    });
  }
  return clean;
}

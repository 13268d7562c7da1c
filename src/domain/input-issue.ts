// Describes what is wrong with a value, for people and models; a validator's messages are for programmers.
import { type Message, type MessageCode, toEnglish, toMessage } from "./phrases/messages.ts";

/** The parts of a validator's issue that the message needs. */
export interface InputIssue {
  readonly path?: readonly PropertyKey[] | undefined;
  readonly code?: string | undefined;
  readonly message: string;
  readonly expected?: unknown;
  readonly values?: readonly unknown[] | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly origin?: string | undefined;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
}

const ITS_OWN_WORDS = /^(Invalid |Too small|Too big|Unrecognized )/;

const TYPES: ReadonlyMap<string, MessageCode> = new Map([
  ["string", "mustBeText"],
  ["number", "mustBeNumber"],
  ["int", "mustBeWhole"],
  ["boolean", "mustBeBoolean"],
  ["array", "mustBeList"],
  ["object", "mustBeObject"],
  ["record", "mustBeObject"],
]);

// Shows a caller's names back to it, truncated to what a person would read.
const MAX_SHOWN = 5;
const MAX_CHARACTERS = 100;

/** All problems as one text; only the first ones if there are many. */
export function describeIssues(issues: readonly InputIssue[]): string {
  const more = issues.length - MAX_SHOWN;
  const shown = issues.slice(0, MAX_SHOWN).map((issue) => {
    const path = pathOf(issue);
    return `${path === "" ? "The arguments" : `'${path}'`}: ${describeIssue(issue)}.`;
  });
  return more > 0 ? `${shown.join(" ")} And ${more} more.` : shown.join(" ");
}

export function pathOf({ path = [] }: InputIssue): string {
  return cut(path.map(String).join("."));
}

const cut = (text: string) =>
  text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text;

export function describeIssue(issue: InputIssue): string {
  return toEnglish(issueMessage(issue));
}

/** `must be …`; messages written in the schema are kept. */
export function issueMessage(issue: InputIssue): Message {
  if (!ITS_OWN_WORDS.test(issue.message)) return toMessage("stated", issue.message);
  const { code, expected, values = [], keys = [], minimum, maximum } = issue;
  const type = TYPES.get(String(expected));
  if (code === "invalid_type") return type ? toMessage(type) : toMessage("mustBe", `${expected}`);
  if (code === "invalid_value")
    return toMessage(values.length > 1 ? "mustBeOneOf" : "mustBe", values.join(", "));
  if (code === "too_small") return toMessage(BOUNDS[boundOf(issue)].least, `${minimum}`);
  if (code === "too_big") return toMessage(BOUNDS[boundOf(issue)].most, `${maximum}`);
  return code === "unrecognized_keys"
    ? toMessage("hasNoKey", listed(keys))
    : toMessage("typeUnsupported");
}

const BOUNDS = {
  string: { least: "charactersAtLeast", most: "charactersAtMost" },
  array: { least: "elementsAtLeast", most: "elementsAtMost" },
  number: { least: "mustBeAtLeast", most: "mustBeAtMost" },
} as const;

function boundOf({ origin }: InputIssue): keyof typeof BOUNDS {
  return origin === "string" || origin === "array" ? origin : "number";
}

function listed(keys: readonly string[]): string {
  const shown = keys.slice(0, MAX_SHOWN).map((key) => `'${cut(key)}'`);
  return keys.length > MAX_SHOWN ? `${shown.join(", ")}, …` : shown.join(", ");
}

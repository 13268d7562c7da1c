// Describes what is wrong with a value, for people and models; a validator's messages are for programmers.

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

const TYPES: ReadonlyMap<string, string> = new Map([
  ["string", "text"],
  ["number", "a number"],
  ["int", "a whole number"],
  ["boolean", "true or false"],
  ["array", "a list"],
  ["object", "an object"],
  ["record", "an object"],
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

/** `must be …`; messages written in the schema are kept. */
export function describeIssue(issue: InputIssue): string {
  if (!ITS_OWN_WORDS.test(issue.message)) return issue.message;
  const { code, values = [], keys = [] } = issue;
  if (code === "invalid_type")
    return `must be ${TYPES.get(String(issue.expected)) ?? issue.expected}`;
  if (code === "invalid_value")
    return `must be ${values.length > 1 ? "one of " : ""}${values.join(", ")}`;
  if (code === "too_small") return `must ${bound(issue, "least", issue.minimum)}`;
  if (code === "too_big") return `must ${bound(issue, "most", issue.maximum)}`;
  if (code === "unrecognized_keys") return `has no ${listed(keys)}`;
  return "has an unsupported type";
}

function listed(keys: readonly string[]): string {
  const shown = keys.slice(0, MAX_SHOWN).map((key) => `'${cut(key)}'`);
  return keys.length > MAX_SHOWN ? `${shown.join(", ")}, …` : shown.join(", ");
}

function bound({ origin }: InputIssue, side: "least" | "most", limit: unknown): string {
  if (origin === "string") return `have at ${side} ${limit} characters`;
  if (origin === "array") return `have at ${side} ${limit} elements`;
  return `be at ${side} ${limit}`;
}

// What is wrong with a value, in words for people and models; a validator's own words are for programmers.

/** The part of a validator's issue that words are made of. */
export interface InputIssue {
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

const TYPES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

/** `must be …`; words that a schema brings along stay as they are. */
export function describeIssue(issue: InputIssue): string {
  if (!ITS_OWN_WORDS.test(issue.message)) return issue.message;
  const { code, values = [], keys = [] } = issue;
  if (code === "invalid_type") return `must be ${TYPES[String(issue.expected)] ?? issue.expected}`;
  if (code === "invalid_value")
    return `must be ${values.length > 1 ? "one of " : ""}${values.join(", ")}`;
  if (code === "too_small") return `must ${bound(issue, "least", issue.minimum)}`;
  if (code === "too_big") return `must ${bound(issue, "most", issue.maximum)}`;
  if (code === "unrecognized_keys") return `has no ${keys.map((key) => `'${key}'`).join(", ")}`;
  return "is of a kind that cannot be used here";
}

function bound({ origin }: InputIssue, side: "least" | "most", limit: unknown): string {
  if (origin === "string") return `have at ${side} ${limit} characters`;
  if (origin === "array") return `have at ${side} ${limit} elements`;
  return `be at ${side} ${limit}`;
}

// Keeps secrets, document text and stack traces out of log lines.

const SECRET_KEY = /token|secret|password|passwd|api[-_]?key|authorization|credential|cookie/i;
const MAX_TEXT = 500;
// user:password@ in an address, and a bearer token in a header that was quoted.
const SECRET_TEXT = /:\/\/[^\s/@]+@|bearer /i;

export function redact(value: unknown, key = "", depth = 0): unknown {
  if (value === undefined || typeof value === "boolean") return value;
  if (key !== "" && SECRET_KEY.test(key)) return "[redacted]";
  if (typeof value === "string") return redactText(value);
  if (typeof value === "bigint") return String(value);
  if (value instanceof Error) return describeError(value, depth);
  if (typeof value !== "object" || value === null) return value;
  if (depth > 4) return "[deep]";
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => redact(item, key, depth + 1));
  return redactMembers(value as Readonly<Record<string, unknown>>, depth);
}

/** Every log line passes through here, so this is a plain loop. */
function redactMembers(value: Readonly<Record<string, unknown>>, depth: number): unknown {
  const shown: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const item = redact(value[name], name, depth + 1);
    // An assignment would set the prototype.
    if (name === "__proto__") Object.defineProperty(shown, name, { value: item, enumerable: true });
    else shown[name] = item;
  }
  return shown;
}

function redactText(text: string): string {
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  if (!SECRET_TEXT.test(short)) return short;
  return short
    .replace(/:\/\/[^\s/@]+@/g, "://[redacted]@")
    .replace(/Bearer (?!token\b)\S+/gi, "Bearer [redacted]");
}

function describeError(error: Error, depth: number): unknown {
  const cause = error.cause === undefined ? {} : { cause: redact(error.cause, "cause", depth + 1) };
  const code = "code" in error ? { code: error.code } : {};
  return { name: error.name, message: redact(error.message), ...code, ...cause };
}

/** Not an array, and not null. */
export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// The SDK refuses a call whose arguments are not an object before any tool sees it. Such arguments are wrapped in an
// object, so that the tool can refuse them with its own error payload.
const KEY = "arguments that are not an object";

/** Missing or null arguments mean no arguments. */
export function wrapArguments(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(wrapArguments);
  if (!isJsonObject(message) || message["method"] !== "tools/call") return message;
  const { params } = message;
  if (!isJsonObject(params) || !("arguments" in params)) return message;
  const { arguments: given, ...rest } = params;
  if (isJsonObject(given)) return message;
  const wrapped = given === null ? rest : { ...rest, arguments: { [KEY]: given } };
  return { ...message, params: wrapped };
}

export function unwrapArguments(args: unknown): unknown {
  return isJsonObject(args) && Object.hasOwn(args, KEY) ? args[KEY] : args;
}

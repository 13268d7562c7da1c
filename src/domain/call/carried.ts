// The SDK refuses a call whose arguments are no object before any tool sees it. They are carried past it inside one,
// so that the tool can refuse them in its own form.

const KEY = "arguments that are no object";

/** Without arguments, or with null, a call has none. */
export function carryArguments(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(carryArguments);
  if (!isRecord(message) || message["method"] !== "tools/call") return message;
  const { params } = message;
  if (!isRecord(params) || !("arguments" in params)) return message;
  const { arguments: given, ...rest } = params;
  if (isRecord(given)) return message;
  const carried = given === null ? rest : { ...rest, arguments: { [KEY]: given } };
  return { ...message, params: carried };
}

export function unpackArguments(args: unknown): unknown {
  return isRecord(args) && Object.hasOwn(args, KEY) ? args[KEY] : args;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

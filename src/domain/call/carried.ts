// The SDK refuses a call whose arguments are not an object before any tool sees it. They are carried past it inside one,
// so that the tool can refuse them in its own form.
import { isJsonObject } from "./json-object.ts";

const KEY = "arguments that are not an object";

/** Missing or null arguments mean no arguments. */
export function carryArguments(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(carryArguments);
  if (!isJsonObject(message) || message["method"] !== "tools/call") return message;
  const { params } = message;
  if (!isJsonObject(params) || !("arguments" in params)) return message;
  const { arguments: given, ...rest } = params;
  if (isJsonObject(given)) return message;
  const carried = given === null ? rest : { ...rest, arguments: { [KEY]: given } };
  return { ...message, params: carried };
}

export function unpackArguments(args: unknown): unknown {
  return isJsonObject(args) && Object.hasOwn(args, KEY) ? args[KEY] : args;
}

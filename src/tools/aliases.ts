// Other names of arguments. A result calls a thing as its contract does, and models pass it on under that name.
import { isJsonObject } from "../domain/call/json-object.ts";
import type { Tool } from "./tool.ts";

const ALIASES = new Map([
  ["document_id", ["id"]],
  ["page", ["page_num", "slide_num", "sheet"]],
  ["scope_id", ["project_name", "id"]],
  ["project_name", ["scope_id", "id"]],
]);

/** The arguments under the tool's own names. What is given under its own name stays. */
export function withOwnNames({ input }: Pick<Tool, "input">, args: unknown): unknown {
  if (!isJsonObject(args)) return args;
  const names = { ...args };
  for (const name of Object.keys(input.shape)) {
    const used = ALIASES.get(name)?.find(
      (alias) => Object.hasOwn(names, alias) && !(alias in input.shape),
    );
    if (used === undefined || Object.hasOwn(names, name)) continue;
    names[name] = names[used];
    delete names[used];
  }
  return names;
}

// Operations for tests, which supply only those they use.
import { OPERATION_RULES } from "../../src/tools/operation-rules.ts";
import type { Operations } from "../../src/tools/operations.ts";

export function someOperations(given: Partial<Operations> = {}): Operations {
  const unused = (name: string) => () =>
    Promise.reject(new Error(`${name} is not supplied in this test`));
  const all = Object.keys(OPERATION_RULES).map((name) => [name, unused(name)]);
  return { ...(Object.fromEntries(all) as Operations), ...given };
}

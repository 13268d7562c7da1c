// The effect of each operation on the knowledge base, which decides the right it needs and whether it is audited. A new
// operation cannot be left out of this table.
import { basename } from "node:path";
import type { ActEffect, ActEnd, Target } from "../domain/call/act.ts";
import type { Principal } from "../domain/call/principal.ts";
import type { AccessControl } from "./access-control.ts";
import { endOf, fileTarget } from "./act-target.ts";
import type { Operations } from "./operations.ts";

type Name = keyof Operations;

type Rule<Method extends (...args: never[]) => unknown> =
  | { readonly effect: "read" }
  | {
      readonly effect: ActEffect;
      readonly target: (...args: Parameters<Method>) => Target;
      readonly endOf?: (result: Awaited<ReturnType<Method>>) => ActEnd;
    };

const READ = { effect: "read" } as const;

export const OPERATION_RULES: { readonly [Each in Name]: Rule<Operations[Each]> } = {
  rules: READ,
  previewRules: READ,
  importRules: {
    effect: "write",
    target: (paths) => ({ files: paths.map((path) => basename(path)).join(", ") }),
    endOf: ({ applied, scopes }) => ({
      to: { scopes: scopes.map(({ id }) => id).join(", ") },
      ...(applied ? {} : { error: "refused" }),
    }),
  },
  previewDrop: READ,
  importDrop: {
    effect: "write",
    target: ({ files }) => ({ files: String(files.length) }),
    endOf: ({ applied, scopes }) => ({
      to: { scopes: scopes.map(({ id }) => id).join(", ") },
      ...(applied ? {} : { error: "refused" }),
    }),
  },
  filesBelow: READ,
  addFile: {
    effect: "write",
    target: ({ path }) => fileTarget(path),
    endOf: (payload) => endOf({ payload, isError: !payload.success }),
  },
  extractFile: READ,
  documentText: READ,
  tasks: READ,
  toRefine: READ,
  refine: { effect: "write", target: () => ({}) },
  watchFolders: {
    effect: "write",
    target: (folders) => ({ folders: folders.map(({ path }) => basename(path)).join(", ") }),
  },
  upload: {
    effect: "write",
    target: ({ filename }) => fileTarget(filename),
    endOf: (payload) => endOf({ payload }),
  },
  original: READ,
  originalView: READ,
  showPage: READ,
  copy: { effect: "write", target: ({ from, to }) => ({ from, to }) },
  backup: { effect: "export", target: fileTarget },
  restore: { effect: "destroy", target: fileTarget },
  examine: READ,
  repair: { effect: "destroy", target: ({ force }) => ({ force: String(force) }) },
};

type AnyMethod = (...args: readonly unknown[]) => Promise<unknown>;
type AnyRule = Rule<(...args: readonly unknown[]) => unknown>;

/** The same operations for one caller: each is authorised first. */
export function guardOperations(
  operations: Operations,
  who: Principal,
  access: AccessControl,
): Operations {
  const guarded = Object.entries(OPERATION_RULES).map(([name, given]) => {
    const rule = given as unknown as AnyRule;
    const method = operations[name as Name] as unknown as AnyMethod;
    const call: AnyMethod = async (...args) => {
      if (rule.effect !== "read") {
        const act = { who, did: name, effect: rule.effect, to: rule.target(...args) };
        return access.perform(act, () => method(...args), rule.endOf);
      }
      const denied = access.refusal(who, "read");
      if (denied) throw denied;
      return method(...args);
    };
    return [name, call];
  });
  return Object.fromEntries(guarded) as Operations;
}

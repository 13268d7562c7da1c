// The effect of each operation on the knowledge base, which decides the right it needs and whether it is audited. A new
// operation cannot be left out of this table.
import { basename } from "node:path";
import type { AuditOutcome, ChangeEffect, Target } from "../domain/call/audit-event.ts";
import { notOffered, type Principal } from "../domain/call/principal.ts";
import type { Family } from "../domain/family.ts";
import type { AccessControl } from "./access-control.ts";
import { endOf, fileTarget } from "./audit-target.ts";
import type { Operations } from "./operations.ts";

type Name = keyof Operations;

type Rule<Method extends (...args: never[]) => unknown> =
  | { readonly effect: "read" }
  /** Shows what a change would do, to those who may make it. */
  | { readonly effect: "preview"; readonly of: readonly Family[] }
  | {
      readonly effect: ChangeEffect;
      /** What it changes: callers are offered it together with these families' tools that change something. */
      readonly of: readonly Family[];
      readonly target: (...args: Parameters<Method>) => Target;
      /** The arguments with the caller's name, where the work is shared out by caller. */
      readonly named?: (who: Principal, ...args: Parameters<Method>) => Parameters<Method>;
      readonly endOf?: (result: Awaited<ReturnType<Method>>) => AuditOutcome;
    };

const READ = { effect: "read" } as const;
const DOCUMENTS = ["documents"] as const;
const SCOPES = ["scopes"] as const;
const EVERYTHING = [...DOCUMENTS, ...SCOPES];

export const OPERATION_RULES: { readonly [Each in Name]: Rule<Operations[Each]> } = {
  rules: READ,
  previewRules: READ,
  importRules: {
    effect: "write",
    of: SCOPES,
    target: filesTarget,
    endOf: ({ applied, scopes }) => ({
      to: { scopes: scopes.map(({ id }) => id).join(", ") },
      ...(applied ? {} : { error: "refused" }),
    }),
  },
  previewDrop: { effect: "preview", of: SCOPES },
  importDrop: {
    effect: "write",
    of: SCOPES,
    target: ({ files }) => filesTarget(files.map(({ path }) => path)),
    endOf: ({ applied, scopes }) => ({
      to: { scopes: scopes.map(({ id }) => id).join(", ") },
      ...(applied ? {} : { error: "refused" }),
    }),
  },
  filesBelow: READ,
  addFile: {
    effect: "write",
    of: DOCUMENTS,
    target: ({ path }) => fileTarget(path),
    endOf: (payload) => endOf({ payload, isError: !payload.success }),
  },
  extractFile: READ,
  documentText: READ,
  tasks: READ,
  toRefine: READ,
  refine: { effect: "write", of: DOCUMENTS, target: () => ({}) },
  watchFolders: {
    effect: "write",
    of: DOCUMENTS,
    target: (folders) => ({ folders: folders.map(({ path }) => basename(path)).join(", ") }),
  },
  upload: {
    effect: "write",
    of: DOCUMENTS,
    target: ({ filename }) => fileTarget(filename),
    named: (who, file) => [{ ...file, caller: who.name }],
    endOf: (payload) => endOf({ payload }),
  },
  original: READ,
  originalView: READ,
  showPage: READ,
  copy: { effect: "write", of: EVERYTHING, target: ({ from, to }) => ({ from, to }) },
  backup: { effect: "export", of: EVERYTHING, target: fileTarget },
  restore: { effect: "destroy", of: EVERYTHING, target: fileTarget },
  examine: READ,
  repair: { effect: "destroy", of: EVERYTHING, target: ({ force }) => ({ force: String(force) }) },
};

function filesTarget(paths: readonly string[]): Target {
  return { files: paths.map((path) => basename(path)).join(", ") };
}

type AnyMethod = (...args: readonly unknown[]) => Promise<unknown>;
type AnyRule = Rule<(...args: readonly unknown[]) => unknown>;

interface OperationCaller {
  readonly who: Principal;
  /** Whether a caller of this kind is offered what changes the family. */
  readonly isOffered: (family: Family) => boolean;
}

/** The same operations for one caller: each is authorised first. */
export function guardOperations(
  operations: Operations,
  { who, isOffered }: OperationCaller,
  access: AccessControl,
): Operations {
  const guarded = Object.entries(OPERATION_RULES).map(([name, given]) => {
    const rule = given as unknown as AnyRule;
    const method = operations[name as Name] as unknown as AnyMethod;
    const call: AnyMethod = async (...args) => {
      const offered = rule.effect === "read" || rule.of.every(isOffered);
      if (rule.effect !== "read" && rule.effect !== "preview") {
        const { effect, target } = rule;
        const event = {
          actor: who,
          action: name,
          effect,
          target: target(...args),
          isOffered: offered,
        };
        const named = rule.named?.(who, ...args) ?? args;
        return access.perform(event, () => method(...named), rule.endOf);
      }
      const denied = access.refusal(who, rule.effect === "read" ? "read" : "write");
      if (denied) throw denied;
      if (!offered) throw notOffered();
      return method(...args);
    };
    return [name, call];
  });
  return Object.fromEntries(guarded) as Operations;
}

// What each operation does to the knowledge base: the right that it needs, and its audit lines.

import { basename } from "node:path";
import type { AuditOutcome, ChangeEffect, Target } from "../domain/call/audit-event.ts";
import { GENERAL_SCOPE } from "../domain/call/grants.ts";
import { notOffered, type Principal, type Right } from "../domain/call/principal.ts";
import { defined } from "../domain/defined.ts";
import type { Family } from "../domain/family.ts";
import type { ImportReport } from "../scopes/scopes.ts";
import { type AccessControl, endOf, fileTarget, sourceName } from "./access-control.ts";
import type { ModelChoice, Operations } from "./operations.ts";

type Name = keyof Operations;

type Rule<Method extends (...args: never[]) => unknown> =
  | { readonly effect: "read" }
  /** Shows who may do what, to those who may change it. */
  | { readonly effect: "oversee" }
  /** Shows what a change would do, to those who may make it. */
  | { readonly effect: "preview"; readonly of: readonly Family[] }
  | {
      readonly effect: ChangeEffect;
      /** What it changes: callers are offered it together with these families' tools that change something. */
      readonly of: readonly Family[];
      /** It concerns every scope. */
      readonly isWide?: true;
      readonly target: (...args: Parameters<Method>) => Target;
      /** The arguments with the caller's name, where the work is shared out by caller. */
      readonly named?: (who: Principal, ...args: Parameters<Method>) => Parameters<Method>;
      readonly endOf?: (result: Awaited<ReturnType<Method>>) => AuditOutcome;
      /** A right that it needs besides that of its effect. */
      readonly needs?: Right;
    };

const READ = { effect: "read" } as const;
const DOCUMENTS = ["documents"] as const;
const SCOPES = ["scopes"] as const;
const WHOLE = { of: [...DOCUMENTS, ...SCOPES], isWide: true } as const;
const GOVERN = { effect: "govern", of: [], isWide: true } as const;
const SENDING = { effect: "export", of: DOCUMENTS, isWide: true } as const;
const CHECKS = { effect: "write", of: DOCUMENTS, needs: "admin", isWide: true } as const;

/** Decides the right that an operation needs and whether it is audited. A new one cannot be left out of this table. */
export const OPERATION_RULES: { readonly [Each in Name]: Rule<Operations[Each]> } = {
  rules: READ,
  previewRules: READ,
  importRules: { effect: "write", of: SCOPES, target: filesTarget, endOf: endOfImport },
  previewDrop: { effect: "preview", of: SCOPES },
  importDrop: {
    effect: "write",
    of: SCOPES,
    target: ({ files }) => filesTarget(files.map(({ path }) => path)),
    endOf: endOfImport,
  },
  filesBelow: READ,
  addFile: {
    effect: "write",
    of: DOCUMENTS,
    target: ({ path, scope }) => ({ ...fileTarget(path), ...defined({ scope }) }),
    endOf: (payload) => endOf({ payload, isError: !payload.success }),
  },
  extractFile: READ,
  documentText: READ,
  passagesFor: READ,
  tasks: READ,
  staleDocuments: READ,
  exportDocuments: {
    ...SENDING,
    target: ({ scope = "all", offset }) => ({ scope, from: String(offset) }),
  },
  importDocument: {
    effect: "write",
    of: DOCUMENTS,
    target: ({ filename, scope }) => ({ ...fileTarget(filename), scope }),
    named: (who, given, watch) => [{ ...given, caller: who.name }, watch],
  },
  toRefine: READ,
  refine: { effect: "write", of: DOCUMENTS, target: () => ({}) },
  watchFolders: {
    effect: "write",
    of: DOCUMENTS,
    target: (folders) => ({
      folders: folders.map(({ path }) => basename(path)).join(", "),
      scopes: [...new Set(folders.map(({ scope = GENERAL_SCOPE }) => scope))].join(", "),
    }),
  },
  sources: READ,
  sourceFailures: READ,
  addSource: {
    effect: "write",
    of: DOCUMENTS,
    target: ({ kind = "source", address, settings }) => ({
      kind,
      source: sourceName(address),
      ...defined({ scope: settings?.scope }),
    }),
    endOf: ({ id }) => ({ target: { source_id: id } }),
  },
  syncSource: {
    effect: "write",
    of: DOCUMENTS,
    target: sourceTarget,
    named: (who, sync, watch) => [{ ...sync, caller: who.name }, watch],
  },
  pauseSource: { effect: "write", of: DOCUMENTS, target: sourceTarget },
  removeSource: { effect: "destroy", of: DOCUMENTS, target: sourceTarget },
  upload: {
    effect: "write",
    of: DOCUMENTS,
    target: ({ filename, scope }) => ({ ...fileTarget(filename), ...defined({ scope }) }),
    named: (who, file) => [{ ...file, caller: who.name }],
    endOf: (payload) => endOf({ payload }),
  },
  move: {
    effect: "write",
    of: DOCUMENTS,
    target: (documentId, scope) => ({ document_id: documentId, scope }),
    endOf: ({ from }) => ({ target: { from } }),
  },
  addSamples: { effect: "write", ...WHOLE, target: () => ({ documents: "samples" }) },
  samples: READ,
  removeSamples: { effect: "destroy", ...WHOLE, target: () => ({ documents: "samples" }) },
  model: READ,
  // Whoever sends passages to another program exports them.
  findModels: { ...SENDING, target: () => ({ model: "any" }) },
  tryModel: { ...SENDING, target: modelTarget },
  chooseModel: { ...SENDING, target: modelTarget },
  original: READ,
  originalView: READ,
  showPage: READ,
  models: READ,
  checkModels: READ,
  changeModel: {
    effect: "write",
    ...WHOLE,
    target: ({ action, name }) => ({ action, model: name }),
  },
  copy: { effect: "write", ...WHOLE, target: ({ from, to }) => ({ from, to }) },
  backup: { effect: "export", ...WHOLE, target: fileTarget },
  restore: { effect: "destroy", ...WHOLE, target: fileTarget },
  examine: READ,
  repair: { effect: "destroy", ...WHOLE, target: ({ force }) => ({ force: String(force) }) },
  access: { effect: "oversee" },
  createToken: {
    ...GOVERN,
    target: ({ name, rights }) => ({ token: name, rights: rights.join(", ") }),
  },
  revokeToken: { ...GOVERN, target: (name) => ({ token: name }) },
  viewAs: { ...GOVERN, target: (name) => ({ token: name }) },
  // Questions quote documents of every scope.
  checks: { effect: "oversee" },
  pinCheck: { ...CHECKS, target: ({ documentId }) => ({ document_id: documentId }) },
  makeChecks: { ...CHECKS, target: (most) => ({ most: String(most) }) },
  removeChecks: { ...CHECKS, target: (ids) => ({ ids: ids.join(", ") }) },
  runChecks: { ...CHECKS, target: ({ accept = false }) => ({ accept: String(accept) }) },
};

function sourceTarget({ id }: { readonly id: string }): Target {
  return { source_id: id };
}

function modelTarget(choice: ModelChoice | undefined): Target {
  return choice ? { program: choice.program, model: choice.model } : { model: "none" };
}

function filesTarget(paths: readonly string[]): Target {
  return { files: paths.map((path) => basename(path)).join(", ") };
}

function endOfImport({ applied, scopes }: Pick<ImportReport, "applied" | "scopes">): AuditOutcome {
  const target = { scopes: scopes.map(({ id }) => id).join(", ") };
  return applied ? { target } : { target, error: "refused" };
}

type AnyMethod = (...args: readonly unknown[]) => Promise<unknown>;
type AnyRule = Rule<(...args: readonly unknown[]) => unknown>;

interface OperationCaller {
  readonly actor: Principal;
  /** Whether a caller of this kind is offered what changes the family. */
  readonly isOfferedFamily: (family: Family) => boolean;
}

/** The same operations for one caller: each is authorised first. */
export function guardOperations(
  operations: Operations,
  { actor, isOfferedFamily }: OperationCaller,
  access: AccessControl,
): Operations {
  const guarded = Object.entries(OPERATION_RULES).map(([name, given]) => {
    const rule = given as unknown as AnyRule;
    const method = operations[name as Name] as unknown as AnyMethod;
    const call: AnyMethod = async (...args) => {
      if (rule.effect === "read" || rule.effect === "oversee" || rule.effect === "preview") {
        refuseReading(rule, actor, access);
        if (rule.effect === "preview" && !rule.of.every(isOfferedFamily)) throw notOffered();
        return method(...args);
      }
      const { effect, needs, isWide = false, of } = rule;
      const isOffered = of.every(isOfferedFamily);
      const event = { actor, action: name, effect, needs, isWide, isOffered };
      const named = rule.named?.(actor, ...args) ?? args;
      const target = rule.target(...args);
      return access.perform({ ...event, target }, () => method(...named), rule.endOf);
    };
    return [name, call];
  });
  return Object.fromEntries(guarded) as Operations;
}

function refuseReading({ effect }: AnyRule, actor: Principal, access: AccessControl): void {
  const denied =
    effect === "oversee"
      ? access.wideRefusal(actor, "admin")
      : access.refusal(actor, effect === "read" ? "read" : "write");
  if (denied) throw denied;
}

// What people can do that agents cannot, through the command line and the console. A room that adds one declares it
// and its effect here, and app.ts supplies it.
import { basename } from "node:path";
import type { Readable } from "node:stream";
import type { LocalModels, ModelChoice } from "../answer/chosen-model.ts";
import type { Check } from "../check/check.ts";
import type { AuditOutcome, ChangeEffect, Target } from "../domain/call/audit-event.ts";
import { notOffered, type Principal, type Right } from "../domain/call/principal.ts";
import { defined } from "../domain/defined.ts";
import type { Chunk, ExtractedDocument } from "../domain/document.ts";
import type { Family } from "../domain/family.ts";
import type { Source } from "../domain/source.ts";
import type { ExtractProgress } from "../extract/extract.ts";
import type { FileChange, Folders, GivenSource, WatchedFolder } from "../ingest/ingest.ts";
import type {
  ModelState as InstalledModel,
  ModelChange,
  ModelCheck,
  ModelWatch,
} from "../models/models.ts";
import type { ImportReport, Scopes } from "../scopes/scopes.ts";
import type {
  BackupReport,
  BackupWatch,
  CopyProgress,
  CopyReport,
  FolderFinding,
  RepairReport,
} from "../store/store.ts";
import type { LeftOut } from "../text/english/left-out.ts";
import type { AccessView, ListedToken } from "./access/contract.ts";
import { type AccessControl, endOf, fileTarget } from "./access-control.ts";
import type {
  Added,
  AddedFolder,
  ImageSize,
  ListedTask,
  OriginalView,
  PageWord,
  Queued,
  Refused,
} from "./documents/contract.ts";
import type { DropReport, RuleDrop } from "./scopes/contract.ts";
import type { JsonObject, ToolProgress } from "./tool.ts";

export type {
  FoundModels,
  ModelChoice,
  ModelState,
  TriedQuestion,
} from "../answer/chosen-model.ts";
export type { CheckReport, CheckState, Lost, Step } from "../check/check.ts";
export type { FileChange, FolderReport } from "../ingest/ingest.ts";
export type { ModelChange } from "../models/models.ts";
export type { Explanation, ImportReport, Refusal } from "../scopes/scopes.ts";
export type { BackupReport, FolderFinding, RepairReport } from "../store/store.ts";

export interface Upload {
  readonly filename: string;
  readonly scope?: string;
  readonly body: Readable;
  /** Set by access control. */
  readonly caller?: string;
}

/** A document's file as it was added. `release` it when it has been read. */
export interface Original {
  readonly filename: string;
  readonly sizeBytes: number;
  readonly body: Readable;
  release(): Promise<void>;
}

export interface PageWanted {
  readonly documentId: string;
  readonly page: number;
  readonly want: ImageSize | "words";
}

/** Its `version` changes with the document's content. */
export type ShownPage =
  | {
      readonly kind: "image";
      readonly type: "png" | "svg";
      readonly version: string;
      readonly bytes: Uint8Array;
    }
  | { readonly kind: "words"; readonly version: string; readonly words: readonly PageWord[] };

interface MovedDocument {
  readonly document_id: string;
  readonly filename: string;
  readonly from: string;
  readonly to: string;
}

interface FileToAdd {
  readonly path: string;
  readonly metadata: JsonObject;
  readonly forceOcr: boolean;
  readonly scope?: string | undefined;
}

interface AddWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ToolProgress) => void;
}

interface SyncWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly fraction: number; readonly found?: number }) => void;
}

/** Rules for people: exported as files, and explained by their hierarchy. */
export type RuleOperations = Pick<Scopes, "list" | "export" | "explain" | "check" | "page">;

type ImportRequest = Omit<Parameters<Scopes["import"]>[1], "dryRun">;

export const STORE_KINDS = ["sqlite", "postgres"] as const;
export type StoreKind = (typeof STORE_KINDS)[number];

interface CopyRequest {
  readonly from: StoreKind;
  readonly to: StoreKind;
}

interface CopyWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CopyProgress) => void;
}

interface BackupOptions extends BackupWatch {
  /** Also replaces a file that is not a backup. */
  readonly force?: boolean;
}

export interface Operations {
  readonly rules: () => Promise<RuleOperations>;
  /** What an import would change. */
  readonly previewRules: (
    paths: readonly string[],
    options: ImportRequest,
  ) => Promise<ImportReport>;
  readonly importRules: (paths: readonly string[], options: ImportRequest) => Promise<ImportReport>;
  /** What an import of dropped files would change. */
  readonly previewDrop: (drop: RuleDrop) => Promise<DropReport>;
  readonly importDrop: (drop: RuleDrop) => Promise<DropReport>;
  /** The files that a path refers to: itself, or what is worth adding below a folder; and what was left out. */
  readonly filesBelow: (
    path: string,
    signal: AbortSignal,
  ) => Promise<{ readonly files: readonly string[]; readonly leftOut: LeftOut }>;
  /** A synchronous `knowledge-add` of a file that a person at this machine named: no roots bound it. */
  readonly addFile: (file: FileToAdd, watch: AddWatch) => Promise<Added | AddedFolder | Refused>;
  /** The text of a file and its chunks; nothing is stored. */
  readonly extractFile: (
    file: { readonly path: string; readonly forceOcr: boolean },
    watch: {
      readonly signal: AbortSignal;
      readonly onProgress: (progress: ExtractProgress) => void;
    },
  ) => Promise<{ readonly document: ExtractedDocument; readonly chunks: readonly Chunk[] }>;
  /** What was read from a document, as Markdown. */
  readonly documentText: (documentId: string) => Promise<string>;
  /** Tasks as `knowledge-task-status` shows them, newest first, each with its filename and creation time. */
  readonly tasks: (page: {
    readonly limit: number;
    readonly open: boolean;
  }) => Promise<readonly ListedTask[]>;
  /** What can already be found but has not been read by the model. */
  readonly toRefine: () => Promise<{ readonly documents: number; readonly chunks: number }>;
  /** Runs the model on it now, until nothing is left or the signal is aborted. */
  readonly refine: (signal: AbortSignal) => Promise<void>;
  /** Watches folders until it is closed. */
  readonly watchFolders: (
    folders: readonly WatchedFolder[],
    onFile?: (change: FileChange) => void,
  ) => Promise<Folders>;
  readonly sources: () => Promise<readonly Source[]>;
  /** Adds a source, or changes the settings of the one with this address. */
  readonly addSource: (source: GivenSource) => Promise<Source>;
  /** Queues a sync; with `watch`, does it now and waits for its end. */
  readonly syncSource: (
    sync: { readonly id: string; readonly caller?: string },
    watch?: SyncWatch,
  ) => Promise<Source>;
  readonly pauseSource: (change: {
    readonly id: string;
    readonly isPaused: boolean;
  }) => Promise<Source>;
  /** Returns how many documents were removed with it. */
  readonly removeSource: (source: {
    readonly id: string;
    readonly documents: boolean;
  }) => Promise<number>;
  /** Fills a new knowledge base with the sample collection. */
  readonly addSamples: (signal: AbortSignal) => Promise<void>;
  readonly samples: () => Promise<SampleCounts>;
  readonly removeSamples: () => Promise<SampleCounts>;
  /** The language model of this machine that phrases answers. */
  readonly model: LocalModels["state"];
  readonly findModels: LocalModels["find"];
  readonly tryModel: LocalModels["compare"];
  readonly chooseModel: LocalModels["choose"];
  /** Adds an uploaded file; returns what an asynchronous `knowledge-add` returns. */
  readonly upload: (upload: Upload) => Promise<Queued>;
  /** Gives a document to another scope. */
  readonly move: (documentId: string, scope: string) => Promise<MovedDocument>;
  readonly original: (documentId: string) => Promise<Original>;
  readonly originalView: (documentId: string) => Promise<OriginalView>;
  /** One rendered page, or where its words are. */
  readonly showPage: (page: PageWanted, signal: AbortSignal) => Promise<ShownPage>;
  /** The models that can be fetched, and which are installed and used. */
  readonly models: () => Promise<readonly InstalledModel[]>;
  /** Compares the files of installed models with their first use. */
  readonly checkModels: (name?: string) => Promise<readonly ModelCheck[]>;
  /** Fetches, chooses or removes a model. */
  readonly changeModel: (change: ModelChange, watch: ModelWatch) => Promise<void>;
  /** Copies all documents and rules from one kind of store to the other; existing data stays. */
  readonly copy: (request: CopyRequest, watch: CopyWatch) => Promise<CopyReport>;
  /** Backs up the embedded knowledge base to one file, while it is in use. */
  readonly backup: (file: string, options: BackupOptions) => Promise<BackupReport>;
  /** Restores a backup into an unused data folder without a knowledge base. */
  readonly restore: (file: string, watch: BackupWatch) => Promise<BackupReport>;
  /** Examines the embedded data folder; undefined if the knowledge base is elsewhere. */
  readonly examine: () => Promise<FolderFinding | undefined>;
  /** Sets aside a damaged database that is not in use, and fills a new one from it and from the originals. */
  readonly repair: (options: { readonly force: boolean }) => Promise<RepairReport>;
  /** Who may do what, without secrets. */
  readonly access: () => Promise<AccessView>;
  /** Adds an entry to the token file; returns the token, which is stored nowhere. */
  readonly createToken: (entry: ListedToken) => Promise<string>;
  /** Removes the entries with the name; returns how many. */
  readonly revokeToken: (name: string) => Promise<number>;
  /** Lets an administrator see the server as a token of the file does, by the temporary token that `issue` returns. */
  readonly viewAs: (name: string, issue: () => string | undefined) => Promise<string>;
  /** The questions of `knowledge-server check`, and the last run. */
  readonly checks: Check["state"];
  readonly pinCheck: Check["pin"];
  readonly makeChecks: Check["make"];
  readonly removeChecks: Check["remove"];
  readonly runChecks: Check["run"];
}

/** Of the samples: how many are here, or were removed. */
interface SampleCounts {
  readonly documents: number;
  readonly scopes: number;
}

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
  tasks: READ,
  toRefine: READ,
  refine: { effect: "write", of: DOCUMENTS, target: () => ({}) },
  watchFolders: {
    effect: "write",
    of: DOCUMENTS,
    target: (folders) => ({ folders: folders.map(({ path }) => basename(path)).join(", ") }),
  },
  sources: READ,
  addSource: {
    effect: "write",
    of: DOCUMENTS,
    target: ({ kind = "source", address }) => ({ kind, source: nameOf(address) }),
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

/** A host, or the last part of a path. */
function nameOf(address: string): string {
  return URL.parse(address)?.host || basename(address);
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

// What people can do that agents cannot, through the command line and the console. A room that adds one declares it
// here and its effect in operation-rules.ts, and app.ts supplies it.
import type { Readable } from "node:stream";
import type { LocalModels } from "../answer/chosen-model.ts";
import type { Check } from "../check/check.ts";
import type { Chunk, ExtractedDocument } from "../domain/document.ts";
import type { Passage } from "../domain/passage.ts";
import type { ItemFailure } from "../domain/source.ts";
import type { LeftOut } from "../domain/task.ts";
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
import type { AccessView, ListedToken } from "./access/contract.ts";
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
import type { ExportedRow, ExportPage, ImportedDocument } from "./documents/portable.ts";
import type { ShownSource } from "./documents/sources.ts";
import type { StaleDocument, StaleWanted } from "./documents/stale.ts";
import type { RuleDrop } from "./scopes/contract.ts";
import type { JsonObject, ToolProgress } from "./tool.ts";

export type {
  FoundModels,
  ModelChoice,
  ModelState,
  TriedQuestion,
} from "../answer/chosen-model.ts";
export type { CheckReport, CheckState, Lost } from "../check/check.ts";
export type { FileChange, FolderReport } from "../ingest/ingest.ts";
export type { ModelChange } from "../models/models.ts";
export type { Explanation, ImportReport, Refusal } from "../scopes/scopes.ts";
export type { BackupReport, CopyReport, FolderFinding, RepairReport } from "../store/store.ts";
export type { ExportedRow, PortableDocument } from "./documents/portable.ts";
export type { ShownSource } from "./documents/sources.ts";
export type { StaleDocument } from "./documents/stale.ts";

export interface Upload {
  readonly filename: string;
  readonly scope?: string;
  readonly tags?: readonly string[];
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
export type RuleOperations = Pick<
  Scopes,
  "list" | "export" | "exportFiles" | "explain" | "check" | "page"
>;

type ImportRequest = Omit<Parameters<Scopes["import"]>[1], "dryRun">;

export const STORE_KINDS = ["sqlite", "postgres"] as const;
type StoreKind = (typeof STORE_KINDS)[number];

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
  readonly previewDrop: (drop: RuleDrop) => Promise<ImportReport>;
  readonly importDrop: (drop: RuleDrop) => Promise<ImportReport>;
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
  /** What a search finds, weak results included, with what their scores are made of. */
  readonly passagesFor: (
    text: string,
    limit: number,
    signal: AbortSignal,
  ) => Promise<readonly Passage[]>;
  /** Tasks as `knowledge-task-status` shows them, newest first, each with its filename and creation time. */
  readonly tasks: (page: {
    readonly limit: number;
    readonly open: boolean;
  }) => Promise<readonly ListedTask[]>;
  /** One page of all documents, with what makes them the same documents again after an import. */
  readonly exportDocuments: (page: ExportPage) => Promise<readonly ExportedRow[]>;
  /** Adds a document that was exported, unless it is here already. */
  readonly importDocument: (
    given: ImportedDocument,
    watch: { readonly signal: AbortSignal },
  ) => Promise<"added" | "unchanged">;
  /** What is shown often and has not changed for long, the most shown first. */
  readonly staleDocuments: (wanted: StaleWanted) => Promise<readonly StaleDocument[]>;
  /** What can already be found but has not been read by the model. */
  readonly toRefine: () => Promise<{ readonly documents: number; readonly chunks: number }>;
  /** Runs the model on it now, until nothing is left or the signal is aborted. */
  readonly refine: (signal: AbortSignal) => Promise<void>;
  /** Watches folders until it is closed. */
  readonly watchFolders: (
    folders: readonly WatchedFolder[],
    onFile?: (change: FileChange) => void,
  ) => Promise<Folders>;
  readonly sources: () => Promise<readonly ShownSource[]>;
  /** The first items of a source that have no document, and why. */
  readonly sourceFailures: (id: string) => Promise<readonly ItemFailure[]>;
  /**
   * Adds a source, or changes the settings of the one with this address. `anywhere`: a person at this machine named it,
   * so neither the allowed folders nor the rules for callers' addresses bound it.
   */
  readonly addSource: (source: GivenSource, from?: "anywhere") => Promise<ShownSource>;
  /** Queues a sync; with `watch`, does it now and waits for its end. */
  readonly syncSource: (
    sync: { readonly id: string; readonly caller?: string },
    watch?: SyncWatch,
  ) => Promise<ShownSource>;
  readonly pauseSource: (change: {
    readonly id: string;
    readonly isPaused: boolean;
  }) => Promise<ShownSource>;
  /** Returns how many documents were removed with it. */
  readonly removeSource: (source: {
    readonly id: string;
    readonly documents: boolean;
  }) => Promise<number>;
  /** Fills a new knowledge base with the sample collection. */
  readonly addSamples: (signal: AbortSignal) => Promise<void>;
  readonly samples: () => Promise<SampleCounts & { readonly ids: readonly string[] }>;
  readonly removeSamples: () => Promise<SampleCounts>;
  /** The language model of this machine that phrases answers. */
  readonly model: LocalModels["model"];
  readonly findModels: LocalModels["findModels"];
  readonly tryModel: LocalModels["tryModel"];
  readonly chooseModel: LocalModels["chooseModel"];
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

// The port: what every store promises. The shared suite in test/conformance proves it for each driver.
import type { Chunk, ExtractedDocument, StoredDocument } from "../domain/document.ts";
import type { SearchFilter } from "../domain/passage.ts";
import type { Entry, Scope, ScopeContent } from "../domain/scope.ts";
import type { AddRequest, Task, TaskFailure, TaskProgress, TaskResult } from "../domain/task.ts";
import type { Encoding, RefinementStore } from "./core/refinement.ts";
import type { TrashNote, TrashReason } from "./core/trash.ts";

export { termFactor } from "./core/bm25.ts";
export type { CopyProgress, CopyReport } from "./core/copy.ts";
export type {
  ClaimedChunk,
  ClaimedDocument,
  Encoders,
  Encoding,
  RefinedChunk,
  RefinedDocument,
  RefinementStore,
} from "./core/refinement.ts";
export { oncePerSecond, rehearseWrite } from "./core/rehearse.ts";
export type { Trash, TrashNote, TrashReason } from "./core/trash.ts";

export interface Store {
  readonly documents: DocumentStore;
  readonly refinements: RefinementStore;
  readonly originals: OriginalStore;
  readonly tasks: TaskStore;
  readonly scopes: ScopeStore;
  health(): Promise<StoreHealth>;
  close(): Promise<void>;
}

/** A chunk with what makes it findable: its vector (absent while the model is unavailable) and its terms. */
export interface IndexedChunk extends Chunk {
  readonly vector?: Float32Array;
  /** Who made the vector. Absent, or without the document's `encoders`: it is looked at in the background. */
  readonly encoding?: Encoding;
  /** The analyser's tokens of everything that is searched, in order, repeats kept. */
  readonly terms: readonly string[];
}

export interface NewDocument
  extends Pick<
    StoredDocument,
    "id" | "filename" | "sourcePath" | "contentHash" | "format" | "sizeBytes" | "title" | "metadata"
  > {
  readonly extracted: ExtractedDocument;
  /** The model's own, a plus sign, then whatever else the chunks depend on; see `DocumentStore.stale`. */
  readonly fingerprint: string;
  /** Names the light table and the rule that the chunks' encodings follow; absent without a light encoder. */
  readonly encoders?: string;
  /** Kept by a copy; otherwise the moment of storing. */
  readonly dateAdded?: string;
}

export type SortField = "date_added" | "filename" | "size";

export interface DocumentPage {
  readonly limit: number;
  readonly offset: number;
  readonly sortBy: SortField;
  readonly sortOrder: "asc" | "desc";
  /** A case-insensitive part of the filename or title. */
  readonly match?: string;
}

export interface StoredChunk extends Chunk {
  readonly key: number;
  readonly id: string;
  readonly document: ChunkSource;
}

/** What a passage shows of its document. A driver may give more. */
export type ChunkSource = Pick<
  StoredDocument,
  "id" | "filename" | "format" | "title" | "dateAdded" | "metadata"
>;

/** `key` names a chunk for `chunks()`; `score` is BM25, or the cosine. Best first. */
export interface Hit {
  readonly key: number;
  readonly score: number;
}

export interface WeightedTerm {
  readonly term: string;
  readonly weight: number;
}

export interface LexicalQuery {
  readonly terms: readonly WeightedTerm[];
  /** Term sequences that a hit must all contain, each unbroken. */
  readonly phrases?: readonly (readonly string[])[];
  readonly limit: number;
  readonly filter?: SearchFilter;
}

export interface VectorQuery {
  readonly vector: Float32Array;
  /** Whose vectors are meant: others of the same length, not yet made anew, are left out. */
  readonly model?: string;
  readonly limit: number;
  readonly filter?: SearchFilter;
}

export interface TermStatistics {
  readonly chunkCount: number;
  /** How many chunks contain each asked term. */
  readonly frequencies: ReadonlyMap<string, number>;
}

export interface LexicalFound {
  readonly hits: readonly Hit[];
  /** Of the query's terms, as they were searched with. */
  readonly statistics: TermStatistics;
}

export interface StoreTotals {
  readonly documents: number;
  readonly chunks: number;
  readonly sizeBytes: number;
  readonly lastUpdated?: string;
}

/**
 * With a task to finish, nothing is stored when its lease is no longer held (`lease-lost`), or when another document has
 * the same content (`duplicate`): two tasks with one content make one document.
 */
export type PutOutcome = "stored" | "duplicate" | "lease-lost";
export type AdoptOutcome = "adopted" | "not-found";
export type ReindexOutcome = "reindexed" | "not-found";
/** `kept`: something refers to it, or it was kept again meanwhile. */
type DiscardOutcome = "discarded" | "kept";
/** `lease-lost`: cancelled, ended, or taken over by another worker. Whoever hears it stops working. */
export type RenewOutcome = "renewed" | "lease-lost";
export type EndOutcome = "ended" | "lease-lost";
export type RevokeOutcome = "revoked" | "not-completed";

/** The task that a document was stored for. `isPart`: it has more documents to store, so it goes on. */
export interface FinishedTask {
  readonly taskId: string;
  readonly worker: string;
  readonly isPart?: boolean;
}

export interface DocumentStore {
  /**
   * Stores a document with its chunks in one transaction: a search sees all of it or nothing. A document
   * from the same `sourcePath` is replaced in the same transaction. With `finishes`, the task is completed in it too.
   */
  put(
    document: NewDocument,
    chunks: readonly IndexedChunk[],
    finishes?: FinishedTask,
  ): Promise<PutOutcome>;
  /**
   * The same content was added again: `metadata` is merged over the document's own and `sourcePath`, when given,
   * becomes its path; another document from that path goes, all in one transaction.
   */
  adopt(id: string, again: Pick<NewDocument, "sourcePath" | "metadata">): Promise<AdoptOutcome>;
  get(id: string): Promise<StoredDocument | undefined>;
  findByHash(contentHash: string): Promise<StoredDocument | undefined>;
  findByPath(sourcePath: string): Promise<StoredDocument | undefined>;
  /** Those of the keys that the metadata of some document has. */
  knownKeys(keys: readonly string[]): Promise<readonly string[]>;
  list(page: DocumentPage): Promise<{ documents: readonly StoredDocument[]; total: number }>;
  /** The whole Markdown with its blocks, as an agent reads it. */
  extracted(id: string): Promise<ExtractedDocument | undefined>;
  /** All of a document, in the form in which another store takes it in. */
  whole(
    id: string,
  ): Promise<
    { readonly document: NewDocument; readonly chunks: readonly IndexedChunk[] } | undefined
  >;
  /**
   * Removes the document, its chunks, vectors, terms, and its original when no other document has it. With `why`, nobody
   * asked for it: the original goes to the trash.
   */
  remove(id: string, why?: TrashReason): Promise<StoredDocument | undefined>;
  clear(): Promise<StoreTotals>;
  totals(): Promise<StoreTotals>;

  lexical(query: LexicalQuery, signal?: AbortSignal): Promise<LexicalFound>;
  nearest(query: VectorQuery, signal?: AbortSignal): Promise<readonly Hit[]>;
  termStatistics(terms: readonly string[]): Promise<TermStatistics>;
  /** For each key the numbers of those phrases whose terms are in the chunk unbroken. */
  phrasesIn(
    keys: readonly number[],
    phrases: readonly (readonly string[])[],
  ): Promise<readonly (readonly number[])[]>;
  /** Terms of the vocabulary within a small edit distance, most frequent first: for typing errors. */
  similarTerms(term: string, limit: number): Promise<readonly string[]>;
  /** In the order of `keys`; keys that are gone are left out. */
  chunks(keys: readonly number[]): Promise<readonly StoredChunk[]>;
  chunksOf(documentId: string): Promise<readonly StoredChunk[]>;

  /** Documents whose fingerprint differs, or that lack vectors and are not being refined: to be indexed again. */
  stale(fingerprint: string, limit: number): Promise<{ ids: readonly string[]; total: number }>;
  /** Swaps the chunks of a document for new ones in one transaction; the document's id stays. */
  reindex(
    id: string,
    index: Pick<NewDocument, "fingerprint" | "encoders">,
    chunks: readonly IndexedChunk[],
  ): Promise<ReindexOutcome>;
}

/** The added files' bytes by content hash (sha256, hex), so that a task outlives its source. */
export interface OriginalStore {
  /**
   * Takes the file in, durably (fsync), before anything refers to it. The file is the caller's private copy on the
   * data folder's own disk: a driver may move it instead of copying. Same hash again: only its age is renewed.
   */
  keep(contentHash: string, fromPath: string): Promise<void>;
  /** A readable path of the original, for parsers. `release` it afterwards. */
  open(contentHash: string): Promise<{ path: string; release(): Promise<void> }>;
  has(contentHash: string): Promise<boolean>;
  /**
   * Lets it go if no document and no open task refers to it: at once, because the task was cancelled, or with `note`
   * into the trash, because the task failed. Kept again after that task's `createdAt`, it stays: another task is about
   * to need it.
   */
  discard(contentHash: string, createdAt: string, note?: TrashNote): Promise<DiscardOutcome>;
  /**
   * Moves originals that no document and no open task refers to into the trash, unless kept (also: kept again) within
   * the last hour: a task is only enqueued after its original is kept. Stops, moving nothing, where they are many.
   */
  sweep(): Promise<SweepReport>;
  /** What a sweep would find, and what is missing. Looks at every file. */
  survey(): Promise<OriginalsSurvey>;
}

export type SweepReport =
  | {
      readonly kind: "swept";
      readonly trashed: number;
      /** Of documents that somebody removed. */
      readonly removed: number;
      /** Out of the trash: the database needs them again. */
      readonly broughtBack: number;
      /** The folder had lost the knowledge base's id, and was marked again. */
      readonly isMarkedAgain: boolean;
    }
  /** This process created the database: files that were there before it are not judged by it. */
  | { readonly kind: "not-yet" }
  /** What is wrong, with its remedy. Nothing was moved. */
  | { readonly kind: "stopped"; readonly problem: string };

export interface OriginalsSurvey {
  readonly files: number;
  readonly unreferenced: number;
  /** Needed by a document or an open task, and neither here nor in the trash. */
  readonly missing: number;
  readonly inTrash: number;
  readonly problem?: string;
}

export interface TaskStore {
  /** Durable when it returns. */
  enqueue(id: string, request: AddRequest): Promise<Task>;
  /**
   * Takes the oldest task that is queued or whose lease ran out. Those that were broken off before come after the
   * others: a file that kills its process must not be in everybody's way.
   */
  claim(worker: string, leaseMs: number): Promise<Task | undefined>;
  /** Takes this very task if it is free: for synchronous adds. */
  claimById(id: string, worker: string, leaseMs: number): Promise<Task | undefined>;
  renew(id: string, worker: string, leaseMs: number, progress: TaskProgress): Promise<RenewOutcome>;
  complete(id: string, worker: string, result: TaskResult): Promise<EndOutcome>;
  fail(id: string, worker: string, failure: TaskFailure): Promise<EndOutcome>;
  /** Turns a completed task into a failed one: its document was not found by the check that follows. */
  revoke(id: string, failure: TaskFailure): Promise<RevokeOutcome>;
  /** Gives a running task back to the queue, as a server that shuts down does; the attempt does not count. */
  release(id: string, worker: string): Promise<void>;
  /** Ends the lease of a holder that is known to be dead: the task may be claimed at once, the attempt counts. */
  expire(id: string, worker: string): Promise<void>;
  cancel(id: string): Promise<Task | undefined>;
  get(id: string): Promise<Task | undefined>;
  /** Newest first; of the open ones, those that run come before the others, however many wait. */
  list(options: { readonly limit: number; readonly open?: boolean }): Promise<readonly Task[]>;
  /** Of the open ones: asked often, so never in proportion to the ended ones. */
  counts(): Promise<{ readonly queued: number; readonly running: number }>;
  /** Forgets finished tasks that ended before the instant. */
  prune(before: string): Promise<number>;
}

export type ScopeChange =
  | { readonly kind: "put-scope"; readonly scope: Scope }
  | { readonly kind: "remove-scope"; readonly id: string }
  | {
      readonly kind: "put-category";
      readonly scope: string;
      readonly name: string;
      readonly description: string;
    }
  | { readonly kind: "remove-category"; readonly scope: string; readonly name: string }
  | ({ readonly kind: "put-entry"; readonly scope: string } & Entry)
  | {
      readonly kind: "remove-entry";
      readonly scope: string;
      readonly category: string;
      readonly keyword: string;
    };

export interface ScopeSummary extends Scope {
  readonly categoryCount: number;
  readonly entryCount: number;
}

export interface ScopeStore {
  /**
   * Grows with every change to scopes, also another process's (on another machine: within milliseconds).
   * Cheap enough (µs) to ask on every read.
   */
  version(): number | Promise<number>;
  list(): Promise<readonly ScopeSummary[]>;
  /**
   * The scope and its ancestors, most specific first; empty when there is no such scope. Of those that the caller
   * knows already, categories and entries may be left out.
   */
  chain(
    id: string,
    isKnown?: (id: string) => boolean,
  ): readonly ScopeContent[] | Promise<readonly ScopeContent[]>;
  /** Ids of the scopes that most others inherit from, for a first look that makes later ones quick. */
  mostGeneral(limit: number): Promise<readonly string[]>;
  /** Every scope with its own content, parents before children: for export. */
  all(): Promise<readonly ScopeContent[]>;
  /** All of it or, on the first that is refused (KnowledgeError), none. */
  apply(changes: readonly ScopeChange[]): Promise<void>;
}

export interface StoreHealth {
  readonly kind: "sqlite" | "postgres";
  readonly connected: boolean;
  readonly originalsAccessible: boolean;
  /** What `knowledge-status` shows as vector_db_path and storage_path; no secrets. */
  readonly location: string;
  readonly originalsLocation: string;
  readonly issues: readonly string[];
}

export interface BackupReport {
  readonly documents: number;
  readonly chunks: number;
  readonly scopes: number;
  readonly originals: number;
  /** Documents whose file was gone: they stay searchable. */
  readonly withoutOriginal: number;
  /** Of the backup file, whether it was written or read. */
  readonly sizeBytes: number;
}

export interface BackupWatch {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: { readonly done: number; readonly total: number }) => void;
}

/** Something that was in the database and is not in the new one. */
export interface Loss {
  readonly kind:
    | "document"
    | "metadata"
    | "text"
    | "original"
    | "task"
    | "scope"
    | "category"
    | "rule"
    | "log";
  /** The document's name and id, the rule's scope and keyword, …; `unknown` where nothing names it. */
  readonly name: string;
  readonly what: string;
  /** Nothing says whether there was any. */
  readonly isUncertain?: true;
}

export interface RepairReport {
  /** What the database's own check found; empty: it is sound. */
  readonly damage: readonly string[];
  /** Documents that are in the new database as they were, or from their stored text. */
  readonly documents: number;
  /** Files that are being read again from their originals. */
  readonly queued: number;
  /** Open and ended tasks that were kept. */
  readonly tasks: number;
  readonly scopes: number;
  /** Everything that is known to be gone. */
  readonly losses: readonly Loss[];
  /** The folder, inside the data folder, that the old files were moved to. */
  readonly setAsideAs?: string;
}

/** The state of an embedded data folder, as `doctor` reports it. */
export type FolderFinding =
  | { readonly kind: "none" | "sound" | "damaged" | "lost"; readonly detail: string }
  /** Sound as far as anybody knows, but it cannot be opened. */
  | { readonly kind: "unusable"; readonly code: string; readonly detail: string };

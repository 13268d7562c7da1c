// Documents with their chunks, and how they are searched.
import type { Sight } from "../../domain/call/sight.ts";
import type {
  Chunk,
  ExtractedDocument,
  HiddenText,
  StoredDocument,
} from "../../domain/document.ts";
import type { SearchFilter } from "../../domain/passage.ts";
import type { TrashReason } from "../core/trash.ts";
import type { Encoding } from "../refinements.ts";

/** A chunk with its vector (absent while the model is unavailable) and its terms. */
export interface IndexedChunk extends Chunk {
  readonly vector?: Float32Array;
  /** Which encoder made the vector; absent without a light encoder. */
  readonly encoding?: Encoding;
  /** The analyser's tokens of all searchable text, in order, with repeats. */
  readonly terms: readonly string[];
}

export interface NewDocument
  extends Pick<
    StoredDocument,
    | "id"
    | "scope"
    | "filename"
    | "sourcePath"
    | "contentHash"
    | "format"
    | "sizeBytes"
    | "title"
    | "metadata"
  > {
  readonly extracted: ExtractedDocument;
  /** The model's fingerprint, a plus sign, then whatever else the chunks depend on; see `DocumentStore.stale`. */
  readonly fingerprint: string;
  /** Set when copying; otherwise the time of storing. */
  readonly dateAdded?: string;
}

export type SortField = "date_added" | "filename" | "size";

export interface DocumentPage {
  readonly limit: number;
  readonly offset: number;
  readonly sortBy: SortField;
  readonly sortOrder: "asc" | "desc";
  /** A case-insensitive substring of the filename or title. */
  readonly match?: string;
  /** Only documents of these scopes. */
  readonly scopes?: readonly string[];
}

interface ShownDocument {
  readonly document: StoredDocument;
  readonly shown: number;
}

export interface StoredChunk extends Chunk {
  readonly key: number;
  readonly id: string;
  readonly document: ChunkSource;
}

/** The document fields that a passage shows. A driver may return more. */
export type ChunkSource = Pick<
  StoredDocument,
  "id" | "scope" | "filename" | "sourcePath" | "format" | "title" | "dateAdded" | "metadata"
>;

/** `key` identifies a chunk for `chunks()`; `score` is BM25 or the cosine. Best first. */
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
  /** Phrases that every hit must contain, as sequences of terms. */
  readonly phrases?: readonly (readonly string[])[];
  readonly limit: number;
  readonly filter?: SearchFilter;
}

export interface VectorQuery {
  readonly vector: Float32Array;
  /** Only this model's vectors are searched; those of another model that are not yet reindexed are left out. */
  readonly model?: string;
  readonly limit: number;
  readonly filter?: SearchFilter;
}

/** Asks for the chunks of the `best` first hits, except those that the caller already has. */
export interface ChunksToRead {
  readonly best: number;
  readonly except: ReadonlySet<number>;
}

export interface TermStatistics {
  readonly chunkCount: number;
  /** How many chunks contain each requested term. */
  readonly frequencies: ReadonlyMap<string, number>;
}

export interface LexicalFound {
  readonly hits: readonly Hit[];
  /** Statistics of the query's terms as they were searched. */
  readonly statistics: TermStatistics;
}

export interface DocumentWithHidden extends Pick<StoredDocument, "id" | "filename"> {
  readonly hidden: readonly HiddenText[];
}

export interface StoreTotals {
  readonly documents: number;
  readonly chunks: number;
  readonly sizeBytes: number;
  readonly lastUpdated?: string;
}

/**
 * With a task to finish, nothing is stored when its lease is no longer held (`lease-lost`), or when another document of
 * the scope has the same content (`duplicate`): two tasks with one content make one document.
 */
export type PutOutcome = "stored" | "duplicate" | "lease-lost";
/** A given title replaces the document's own. */
export type Adopted = Pick<NewDocument, "sourcePath" | "metadata" | "title">;

export type AdoptOutcome = "adopted" | "not-found" | "lease-lost";
export type ReindexOutcome = "reindexed" | "not-found";
export type MoveOutcome = "moved" | "not-found" | "taken";
/** The task that the document is stored for. `isPart`: it stays open, because it has more documents to store. */
export interface FinishedTask {
  readonly taskId: string;
  readonly worker: string;
  readonly isPart?: boolean;
}

export interface DocumentStore {
  /** The same for a caller who sees only these scopes: counts and statistics too are as if there was nothing else. */
  seenBy(sight: Sight): DocumentStore;
  /**
   * Stores a document with its chunks in one transaction: a search sees all of it or nothing. A document
   * from the same `sourcePath` in the same scope is replaced in the same transaction. With `finishes`, the task is completed in it too.
   */
  put(
    document: NewDocument,
    chunks: readonly IndexedChunk[],
    finishes?: FinishedTask,
  ): Promise<PutOutcome>;
  /**
   * The same content was added again: `metadata` is merged over the document's own and `sourcePath`, when given,
   * becomes its path; another document from that path is removed, all in one transaction. `finishes` as for `put`.
   */
  adopt(id: string, again: Adopted, finishes?: FinishedTask): Promise<AdoptOutcome>;
  get(id: string): Promise<StoredDocument | undefined>;
  /** In the scope, or in any if none is given. */
  findByHash(contentHash: string, scope?: string): Promise<StoredDocument | undefined>;
  findByPath(sourcePath: string, scope?: string): Promise<StoredDocument | undefined>;
  /** Returns the keys that occur in any document's metadata. */
  knownKeys(keys: readonly string[]): Promise<readonly string[]>;
  list(page: DocumentPage): Promise<{ documents: readonly StoredDocument[]; total: number }>;
  /** The newest documents that have text that people do not see, with it. */
  withHidden(filter?: SearchFilter): Promise<readonly DocumentWithHidden[]>;
  /** Those that were shown most often, with how often; those that never were are left out. */
  shownMost(filter: SearchFilter, limit: number): Promise<readonly ShownDocument[]>;
  /** How often documents were shown since the last call, by id. */
  countShown(counts: ReadonlyMap<string, number>): Promise<void>;
  /** The whole Markdown text with its blocks. */
  extracted(id: string): Promise<ExtractedDocument | undefined>;
  /** A complete document, in the form that another store's `put` accepts. */
  whole(
    id: string,
  ): Promise<
    { readonly document: NewDocument; readonly chunks: readonly IndexedChunk[] } | undefined
  >;
  /**
   * Removes the document, its chunks, vectors, terms, and its original if no other document uses it. `why`: no user
   * asked for the removal, so the original goes to the trash.
   */
  remove(id: string, why?: TrashReason): Promise<StoredDocument | undefined>;
  /** Everything, or the documents of these scopes. */
  clear(scopes?: readonly string[]): Promise<StoreTotals>;
  /** Refused if the scope already has a document with the same content or from the same path. */
  move(id: string, scope: string): Promise<MoveOutcome>;
  totals(): Promise<StoreTotals>;

  lexical(query: LexicalQuery, signal?: AbortSignal): Promise<LexicalFound>;
  nearest(query: VectorQuery, signal?: AbortSignal): Promise<readonly Hit[]>;
  /** `nearest` and `chunks` in one call, because a search waits for each. */
  nearestWithChunks(
    query: VectorQuery,
    read: ChunksToRead,
    signal?: AbortSignal,
  ): Promise<{ readonly hits: readonly Hit[]; readonly chunks: readonly StoredChunk[] }>;
  termStatistics(terms: readonly string[]): Promise<TermStatistics>;
  /** For each key, the numbers of the phrases that the chunk contains. */
  phrasesIn(
    keys: readonly number[],
    phrases: readonly (readonly string[])[],
  ): Promise<readonly (readonly number[])[]>;
  /**
   * For each term, those of the vocabulary within a small edit distance, most frequent first, to correct typos. All in
   * one call, because each reads the whole vocabulary.
   */
  similarTerms(terms: readonly string[], limit: number): Promise<readonly (readonly string[])[]>;
  /** Terms of the vocabulary with this prefix, most frequent first, for a word that is still being typed. */
  termsStartingWith(prefix: string, limit: number): Promise<readonly string[]>;
  /** In the order of `keys`; removed keys are left out. */
  chunks(keys: readonly number[]): Promise<readonly StoredChunk[]>;
  chunksOf(documentId: string): Promise<readonly StoredChunk[]>;

  /** Documents to reindex: their fingerprint differs, or they lack vectors and are not being refined. */
  stale(fingerprint: string, limit: number): Promise<{ ids: readonly string[]; total: number }>;
  /** Whether any document has vectors of the model with this fingerprint. */
  hasVectorsOf(model: string): Promise<boolean>;
  /** Replaces the chunks of a document in one transaction; the document's id stays. */
  reindex(
    id: string,
    index: Pick<NewDocument, "fingerprint">,
    chunks: readonly IndexedChunk[],
  ): Promise<ReindexOutcome>;
}

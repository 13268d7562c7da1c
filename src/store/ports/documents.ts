// Documents with their chunks, and what finds them.
import type { Chunk, ExtractedDocument, StoredDocument } from "../../domain/document.ts";
import type { SearchFilter } from "../../domain/passage.ts";
import type { Encoding } from "../core/refinement.ts";
import type { TrashReason } from "../core/trash.ts";

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

/** The chunks of a list's best hits, except those that the caller has. */
export interface ReadAlong {
  readonly best: number;
  readonly except: ReadonlySet<number>;
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
/** A title that is given takes the place of the document's own. */
export type Adopted = Pick<NewDocument, "sourcePath" | "metadata" | "title">;

export type AdoptOutcome = "adopted" | "not-found";
export type ReindexOutcome = "reindexed" | "not-found";
/** The task that a document was stored for. `isPart`: it has more documents to store, so it stays open. */
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
  adopt(id: string, again: Adopted): Promise<AdoptOutcome>;
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
  /** `nearest` and `chunks` in one visit: a search waits for each of them. */
  nearestWithChunks(
    query: VectorQuery,
    read: ReadAlong,
    signal?: AbortSignal,
  ): Promise<{ readonly hits: readonly Hit[]; readonly chunks: readonly StoredChunk[] }>;
  termStatistics(terms: readonly string[]): Promise<TermStatistics>;
  /** For each key the numbers of those phrases whose terms are in the chunk unbroken. */
  phrasesIn(
    keys: readonly number[],
    phrases: readonly (readonly string[])[],
  ): Promise<readonly (readonly number[])[]>;
  /** Terms of the vocabulary within a small edit distance, most frequent first: for typing errors. */
  similarTerms(term: string, limit: number): Promise<readonly string[]>;
  /** Longer terms of the vocabulary that begin with it, most frequent first: for a word that is still being typed. */
  termsStartingWith(prefix: string, limit: number): Promise<readonly string[]>;
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

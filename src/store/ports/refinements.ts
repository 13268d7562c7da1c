// Vectors come in two stages: the light encoder's at once, the model's later for text that it reads better.
import type { Chunk } from "../../domain/document.ts";

/** Which encoder made a chunk's vector, and whether that is final. */
export type Encoding = "light" | "waiting" | "model";

/** Selects documents by fingerprint and encoders; others are left to the reindexer. */
export interface Encoders {
  /** The documents' fingerprint, as in `NewDocument`. */
  readonly fingerprint: string;
  /** Identifies the light table and the rule for what the model reads. */
  readonly encoders: string;
}

export interface RefinementClaim extends Encoders {
  readonly worker: string;
  readonly leaseMs: number;
  /** About how many chunks, of one document or of many small ones. */
  readonly chunks: number;
  /** `unchecked`: only chunks that can be checked without the model, which is unavailable. */
  readonly what: "all" | "unchecked";
  /** Whether to look for documents never checked under these encoders, which scans all documents. */
  readonly looksForOld: boolean;
}

export interface ClaimedDocument {
  readonly id: string;
  readonly title?: string;
  readonly chunks: readonly ClaimedChunk[];
}

export interface ClaimedChunk extends Pick<Chunk, "ordinal" | "text" | "headings" | "tableHeader"> {
  readonly key: number;
  readonly isUnchecked: boolean;
  readonly madeBy: "light" | "model";
}

export interface RefinedDocument {
  readonly id: string;
  readonly chunks: readonly RefinedChunk[];
}

export interface RefinedChunk {
  readonly key: number;
  readonly encoding: Encoding;
  /** Absent if the vector does not change. */
  readonly vector?: Float32Array;
}

export interface RefinementStore {
  waiting(encoders: Encoders): Promise<{ readonly documents: number; readonly chunks: number }>;
  /** Claims documents that no other worker holds. Empty if there is nothing to do now. */
  claim(claim: RefinementClaim): Promise<readonly ClaimedDocument[]>;
  /**
   * Stores new vectors of documents that `worker` still has claimed and releases them, in one transaction. A document that
   * was removed, replaced or taken over meanwhile is left alone. Returns how many chunks were stored.
   */
  storeVectors(worker: string, documents: readonly RefinedDocument[]): Promise<number>;
  /** All workers that hold a document, dead or alive. */
  holders(): Promise<readonly string[]>;
  /** Releases everything that this worker has claimed. */
  release(worker: string): Promise<void>;
}

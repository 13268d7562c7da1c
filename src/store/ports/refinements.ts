// Vectors come in two stages: the light encoder's at once, the model's later for text that it reads better.
import type { Chunk } from "../../domain/document.ts";

/** Which encoder made a chunk's vector, and whether that is final. */
export type Encoding = "light" | "waiting" | "model";

export interface RefinementClaim {
  /** Only documents with it, as in `NewDocument`; others are left to the reindexer. */
  readonly fingerprint: string;
  readonly worker: string;
  readonly leaseMs: number;
  /** About how many chunks, of one document or of many small ones. */
  readonly chunks: number;
}

export interface ClaimedDocument {
  readonly id: string;
  readonly title?: string;
  readonly chunks: readonly ClaimedChunk[];
}

export interface ClaimedChunk extends Pick<Chunk, "ordinal" | "text" | "headings" | "tableHeader"> {
  readonly key: number;
}

export interface RefinedDocument {
  readonly id: string;
  readonly chunks: readonly { readonly key: number; readonly vector: Float32Array }[];
}

export interface RefinementStore {
  waiting(fingerprint: string): Promise<{ readonly documents: number; readonly chunks: number }>;
  /** Claims documents that no other worker holds. Empty if there is nothing to do now. */
  claim(claim: RefinementClaim): Promise<readonly ClaimedDocument[]>;
  /**
   * Stores the model's vectors for documents that `worker` still has claimed and releases them, in one transaction. A
   * document that was removed, replaced or taken over meanwhile is left alone. Returns how many chunks were stored.
   */
  storeVectors(worker: string, documents: readonly RefinedDocument[]): Promise<number>;
  /** All workers that hold a document, dead or alive. */
  holders(): Promise<readonly string[]>;
  /** Releases everything that this worker has claimed. */
  release(worker: string): Promise<void>;
}

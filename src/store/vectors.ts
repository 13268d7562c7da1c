// What each engine does with vectors in its own way: SQLite keeps them by document, as its readers load them into memory;
// PostgreSQL keeps a row for each, in pgvector's index. All run inside the transaction that changes the chunks.
import type { PackedChunks } from "./core/packed-chunks.ts";
import type { Connection } from "./sql.ts";

export interface Vectors {
  insert(db: Connection, vectors: NewVectors): Promise<void>;
  /** Better vectors for chunks that exist. */
  replace(db: Connection, vectors: BetterVectors): Promise<void>;
  /** By key. */
  read(db: Connection, doc: number): Promise<ReadonlyMap<number, Float32Array>>;
  /** `keys` ascend. */
  remove(db: Connection, doc: number, keys: readonly number[]): Promise<void>;
  clear(db: Connection): Promise<void>;
}

export interface NewVectors {
  readonly doc: number;
  /** One per chunk. */
  readonly keys: readonly number[];
  readonly chunks: PackedChunks;
}

export interface BetterVectors {
  readonly doc: number;
  readonly fresh: readonly { readonly key: number; readonly vector: Float32Array }[];
}

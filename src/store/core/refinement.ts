// Vectors come in two stages: the light encoder's at once, the model's later for text that it reads better. What is
// left to do is recorded in the store, one byte per chunk, so any process can continue.
//
//   light-unchecked ─┐                       ┌─▶ light    (the model does not read it)
//   model-unchecked ─┴─ checked by its text ─┼─▶ waiting ──refined──▶ model
//                                            └─▶ model
//   another table or rule makes every chunk unchecked again
import type { Chunk } from "../../domain/document.ts";

/** Which encoder made a chunk's vector, and whether that is final. */
export type Encoding = "light" | "waiting" | "model";

/** Bytes of the stored format. Absent rows count as MODEL_UNCHECKED: the first version had the model's vectors only. */
const MODEL_UNCHECKED = 0;
const LIGHT_UNCHECKED = 1;
const BYTES: Readonly<Record<Encoding, number>> = { light: 2, waiting: 3, model: 4 };

/** A document without encoders and a chunk without an encoding are checked later. */
export function packEncodings(encodings: readonly (Encoding | undefined)[]): Uint8Array {
  return Uint8Array.from(encodings, (each) => (each ? BYTES[each] : LIGHT_UNCHECKED));
}

export function unpackEncoding(byte: number | undefined): Encoding | undefined {
  const found = Object.entries(BYTES).find(([, value]) => value === byte);
  return found?.[0] as Encoding | undefined;
}

/** When the table or the rule changes, every vector is checked again, whichever encoder made it. */
export function uncheck(made: Uint8Array): Uint8Array {
  const isModel = (byte: number) => byte === BYTES.model || byte === MODEL_UNCHECKED;
  return made.map((byte) => (isModel(byte) ? MODEL_UNCHECKED : LIGHT_UNCHECKED));
}

function isUnchecked(byte: number): boolean {
  return byte === MODEL_UNCHECKED || byte === LIGHT_UNCHECKED;
}

export function countOpen(made: Uint8Array): { unchecked: number; waiting: number } {
  let [unchecked, waiting] = [0, 0];
  for (const byte of made) {
    if (isUnchecked(byte)) unchecked++;
    else if (byte === BYTES.waiting) waiting++;
  }
  return { unchecked, waiting };
}

/** How many documents without a row get one per claim, to keep the write short. */
export const OLD_PER_CLAIM = 500;

/** Takes documents until the number of their open chunks (given as ordinals) reaches the claim's limit. */
export function takeOpenOrdinals<Row extends { readonly made: Uint8Array }>(
  rows: readonly Row[],
  { chunks, what }: RefinementClaim,
): readonly OpenOrdinals<Row>[] {
  const taken: OpenOrdinals<Row>[] = [];
  let left = chunks;
  for (const row of rows) {
    if (left <= 0) break;
    const ordinals = openOrdinals(row.made, { what, limit: left });
    left -= ordinals.length;
    taken.push({ row, ordinals });
  }
  return taken;
}

export interface OpenOrdinals<Row> {
  readonly row: Row;
  readonly ordinals: readonly number[];
}

/** The ordinals of the first `limit` open chunks. */
function openOrdinals(
  made: Uint8Array,
  { what, limit }: { readonly what: RefinementClaim["what"]; readonly limit: number },
): number[] {
  const ordinals: number[] = [];
  for (let at = 0; at < made.length && ordinals.length < limit; at++) {
    const byte = made[at] as number;
    if (isUnchecked(byte) || (what === "all" && byte === BYTES.waiting)) ordinals.push(at);
  }
  return ordinals;
}

export function withEncodings(
  made: Uint8Array,
  changes: readonly { readonly at: number; readonly encoding: Encoding }[],
): Uint8Array {
  const next = made.slice();
  for (const { at, encoding } of changes) if (at < next.length) next[at] = BYTES[encoding];
  return next;
}

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

interface ClaimedRow {
  readonly key: number;
  readonly ordinal: number;
  readonly text: string;
}

export function toClaimedChunk(
  { key, ordinal, text }: ClaimedRow,
  { headings, tableHeader }: Pick<Chunk, "headings" | "tableHeader">,
  byte = MODEL_UNCHECKED,
): ClaimedChunk {
  return {
    key,
    ordinal,
    text,
    headings,
    ...(tableHeader === undefined ? {} : { tableHeader }),
    isUnchecked: isUnchecked(byte),
    madeBy: byte === MODEL_UNCHECKED || byte === BYTES.model ? "model" : "light",
  };
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

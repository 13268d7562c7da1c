import type { Chunk, ExtractedDocument } from "../domain/document.ts";
import type { Passage } from "../domain/passage.ts";
import type { KnownDocument } from "./memory.ts";

/** Whole documents, for answers that need more of one than the passages found. */
export interface DocumentReader {
  extracted(id: string): Promise<ExtractedDocument | undefined>;
  chunksOf(id: string): Promise<readonly (Chunk & { readonly id: string })[]>;
}

/** The same, by a passage that was found in one; what was made of it before is remembered. */
export interface Library {
  known(passage: Passage): Promise<KnownDocument | undefined>;
  chunksOf: DocumentReader["chunksOf"];
}

import type { Chunk, ExtractedDocument } from "../domain/document.ts";

/** Whole documents, for answers that need more of one than the passages found. */
export interface DocumentReader {
  extracted(id: string): Promise<ExtractedDocument | undefined>;
  chunksOf(id: string): Promise<readonly (Chunk & { readonly id: string })[]>;
}

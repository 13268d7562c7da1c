// Whole documents, for answers that need more than the found passages.
import type { Chunk, ExtractedDocument } from "../domain/document.ts";
import type { PageSource } from "./mark-ocr.ts";

/** Reads whole documents from the store. */
export interface DocumentReader extends PageSource {
  extracted(id: string): Promise<ExtractedDocument | undefined>;
  chunksOf(id: string): Promise<readonly (Chunk & { readonly id: string })[]>;
}

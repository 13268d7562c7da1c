// Whole documents, for answers that need more than the found passages.
import type { Chunk, ExtractedDocument } from "../domain/document.ts";
import type { Passage } from "../domain/passage.ts";
import type { Field } from "./form/fields.ts";
import type { PageSource } from "./mark-ocr.ts";
import type { KnownDocument } from "./reading-cache.ts";

/** Reads whole documents from the store. */
export interface DocumentReader extends PageSource {
  extracted(id: string): Promise<ExtractedDocument | undefined>;
  chunksOf(id: string): Promise<readonly (Chunk & { readonly id: string })[]>;
}

/** Reads documents by a found passage, with cached results, for one question. */
export interface Library {
  known(passage: Passage): Promise<KnownDocument | undefined>;
  /** The labels and values in the passage. */
  fieldsOf(passage: Passage): readonly Field[];
  chunksOf: DocumentReader["chunksOf"];
}

// The port: a file's bytes → text with positions, read by sandboxed child processes.
import type { ExtractedDocument } from "../domain/document.ts";

export interface ExtractRequest {
  /** A readable copy of the file. Its name is not trusted and may lack an extension. */
  readonly path: string;
  /** What the user calls it: the extension is a hint where the content is plain text. */
  readonly filename: string;
  readonly forceOcr: boolean;
}

export interface ExtractProgress {
  readonly done: number;
  readonly total: number;
  /** "page", "slide" or "sheet". */
  readonly unit: string;
}

export interface Extract {
  /** Rejects with KnowledgeError: UNSUPPORTED_FORMAT, ENCRYPTED_FILE, CORRUPT_FILE, EXTRACTION_TIMEOUT, … */
  extract(
    request: ExtractRequest,
    options?: {
      readonly signal?: AbortSignal;
      readonly onProgress?: (progress: ExtractProgress) => void;
    },
  ): Promise<ExtractedDocument>;
  close(): Promise<void>;
}

// The port: a file's bytes → text with positions, read by sandboxed child processes.
import type { ExtractedDocument } from "../domain/document.ts";
import type { Log } from "../observe/log.ts";
import { ocrLanguages } from "./image/ocr-languages.ts";
import { DEFAULT_LIMITS, type ExtractLimits } from "./limits.ts";
import type { OcrSettings } from "./reader.ts";
import { openPool } from "./sandbox/pool.ts";

export type { ExtractLimits } from "./limits.ts";
export type { OcrSettings } from "./reader.ts";

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
  /** The languages that OCR reads. Rejects with OCR_FAILED when the data of one is missing. */
  ocrLanguages(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface ExtractOptions {
  /** The entry file of the reader's process: extract/child, as it is or built. */
  readonly childUrl: URL;
  readonly ocr: OcrSettings;
  readonly log: Log;
  /** How many files are read at once. */
  readonly workers?: number;
  readonly limits?: Partial<ExtractLimits>;
}

/** Starts nothing yet: the first file does. */
export function openExtract(options: ExtractOptions): Extract {
  const limits: ExtractLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const pool = openPool({
    childUrl: options.childUrl,
    settings: { ocr: options.ocr, limits },
    workers: options.workers ?? 2,
    idleMs: 60_000,
    log: options.log,
  });
  return {
    extract: (request, running = {}) => pool.run(request, running),
    async ocrLanguages() {
      await ocrLanguages(options.ocr);
      return options.ocr.languages;
    },
    close: () => pool.close(),
  };
}

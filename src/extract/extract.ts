// The port: a file's bytes → text with positions, read by sandboxed child processes.
import type { ExtractedDocument } from "../domain/document.ts";
import type { Log } from "../observe/log.ts";
import type { MailHead } from "./archive/mbox-file.ts";
import type { openZip as unpack, ZipFile } from "./archive/zip-file.ts";
import { ocrLanguages } from "./image/ocr/languages.ts";
import { DEFAULT_LIMITS, type ExtractLimits } from "./limits.ts";
import type { OcrSettings } from "./reader.ts";
import { openPool } from "./sandbox/pool.ts";
import type { PageRequest, PageView } from "./view/view.ts";

export type { ZipEntry } from "./archive/zip-file.ts";
export type { ExtractLimits } from "./limits.ts";
export type { OcrSettings } from "./reader.ts";
export type { PageRequest, PageView, SheetPart } from "./view/view.ts";

export interface ExtractRequest {
  /** A readable copy of the file. Its name is not trusted and may lack an extension. */
  readonly path: string;
  /** The user's name for the file: its extension is a hint if the content is plain text. */
  readonly filename: string;
  readonly forceOcr: boolean;
  /** Decides how long reading may take, and whether it waits behind large files. */
  readonly sizeBytes: number;
  /** Who it is read for; callers share the readers equally. */
  readonly caller: string;
}

export interface ExtractProgress {
  readonly done: number;
  readonly total: number;
  readonly unit: "page" | "slide" | "sheet";
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
  /** Renders a page. Rejects like `extract`, and with OVERLOADED if too many requests are waiting. */
  viewPage(request: PageRequest, options?: { readonly signal?: AbortSignal }): Promise<PageView>;
  /** The languages that OCR reads. Rejects with OCR_FAILED if the data of one is missing. */
  ocrLanguages(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface ExtractOptions {
  /** The entry file of the reader process: extract/child, as source or built. */
  readonly childUrl: URL;
  readonly ocr: OcrSettings;
  readonly log: Log;
  /** How many files are read at once. */
  readonly workers?: number;
  readonly limits?: Partial<ExtractLimits>;
}

/** Lists an archive's entries; the library is loaded on first use. */
export async function openZip(...given: Parameters<typeof unpack>): Promise<ZipFile> {
  const archive = await import("./archive/zip-file.ts");
  return archive.openZip(...given);
}

/** Lists a mailbox's mails as an archive's entries. */
export async function openMbox(...given: Parameters<typeof unpack>): Promise<ZipFile> {
  const mailbox = await import("./archive/mbox-file.ts");
  return mailbox.openMbox(...given);
}

/** Whose it is, and to which conversation it belongs. */
export async function readMailHead(mail: Buffer): Promise<MailHead> {
  const mailbox = await import("./archive/mbox-file.ts");
  return mailbox.readMailHead(mail);
}

// Rendering a page takes a fraction of a second, or a few seconds with OCR.
const VIEW_LIMITS = { stallMs: 20_000, totalMs: 45_000 } as const;

/** Starts no process; the first file does. */
export function openExtract(options: ExtractOptions): Extract {
  const limits: ExtractLimits = { ...DEFAULT_LIMITS, ...options.limits };
  const { childUrl, ocr, log, workers = 2 } = options;
  const pool = openPool({ childUrl, settings: { ocr, limits }, workers, idleMs: 60_000, log });
  // A separate process, so viewing a page does not wait for files that are being added.
  const viewLimits = { ...DEFAULT_LIMITS, ...VIEW_LIMITS, ...options.limits };
  const views = openPool({
    childUrl,
    settings: { ocr, limits: viewLimits },
    // One process may be busy with OCR while the other renders.
    workers: 2,
    idleMs: 20_000,
    log,
  });
  return {
    extract: pool.read,
    viewPage: (request, running = {}) => views.viewPage(request, running),
    async ocrLanguages() {
      await ocrLanguages(options.ocr);
      return options.ocr.languages;
    },
    async close() {
      await Promise.all([pool.close(), views.close()]);
    },
  };
}

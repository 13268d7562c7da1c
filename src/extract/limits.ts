// Limits on what reading a file may cost. Real files stay far below each of them.
import { KnowledgeError } from "../domain/errors.ts";

export interface ExtractLimits {
  readonly fileBytes: number;
  /** The process is killed if it finishes no page, slide or sheet for this long. */
  readonly stallMs: number;
  readonly totalMs: number;
  readonly childRssBytes: number;
  readonly childHeapMb: number;
  readonly zipEntries: number;
  readonly zipEntryBytes: number;
  readonly zipTotalBytes: number;
  readonly xmlDepth: number;
  readonly htmlDepth: number;
  readonly cells: number;
  readonly characters: number;
  readonly pixels: number;
  readonly pages: number;
}

const MB = 1024 * 1024;

export const DEFAULT_LIMITS: ExtractLimits = {
  fileBytes: 100 * MB,
  stallMs: 45_000,
  totalMs: 30 * 60_000,
  // A 300 dpi page with OCR takes 300 MB; hostile PDFs have taken 1.3 GB.
  childRssBytes: 900 * MB,
  childHeapMb: 512,
  zipEntries: 10_000,
  zipEntryBytes: 64 * MB,
  zipTotalBytes: 256 * MB,
  xmlDepth: 400,
  htmlDepth: 1_000,
  cells: 1_000_000,
  // Shared strings amplify: a small workbook can refer to one long string a million times.
  characters: 50_000_000,
  pixels: 100_000_000,
  pages: 5_000,
};

export function overLimit(what: string): KnowledgeError {
  return new KnowledgeError("EXTRACTION_LIMIT", `The file was refused: ${what}.`);
}

export function corrupt(what: string, cause?: unknown): KnowledgeError {
  return new KnowledgeError("CORRUPT_FILE", what, cause === undefined ? {} : { cause });
}

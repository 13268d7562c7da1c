// Limits on what reading a file may cost. Real files stay far below each of them.

export interface ExtractLimits {
  readonly fileBytes: number;
  /** The process is killed if it finishes no page, slide or sheet for this long. */
  readonly stallMs: number;
  readonly totalMs: number;
  /** Computing time that any file may take; `allowedMs` adds what its size and its pictures earn. */
  readonly computeMs: number;
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
  // The slowest of 260 real files took 18 s, with OCR; without OCR it took 0.3 s.
  computeMs: 30_000,
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

/** How far a file is read, as its reader process has reported. */
export interface ReadSoFar {
  readonly sizeBytes: number;
  /** All that the file has, also those that are not read. */
  readonly pages: number;
  /** How often OCR has read a picture, each of them several times. */
  readonly readings: number;
}

const COMPUTE_MS_PER_MB = 10_000;
// One reading takes 0.2 to 0.8 s; a picture is read up to ten times.
const READING_MS = 3_000;
// The page of a scan has 5 to 500 kB.
const PICTURE_BYTES = 4 * 1024;

/**
 * The computing time that a file may have taken by now. It grows with the file's bytes, not with its page count: pages
 * of a few bytes share what they draw, and squared, their share is less than a reading takes.
 */
export function allowedMs({ sizeBytes, pages, readings }: ReadSoFar, computeMs: number): number {
  const share = Math.min(1, sizeBytes / Math.max(1, pages) / PICTURE_BYTES);
  return computeMs + (sizeBytes / MB) * COMPUTE_MS_PER_MB + readings * READING_MS * share ** 2;
}

// Real files stay below 3 characters per byte. Compressed ones that repeat themselves could have more, and below the
// minimum any amount is harmless: it is stored in less than a second.
const MAX_CHARACTERS_PER_BYTE = 20;
const MIN_ROOM = 200_000;

/** How much text a file of this size may have: one that says "a million times the same" is refused. */
export function mostCharacters(sizeBytes: number, { characters }: ExtractLimits): number {
  return Math.min(characters, Math.max(MIN_ROOM, sizeBytes * MAX_CHARACTERS_PER_BYTE));
}

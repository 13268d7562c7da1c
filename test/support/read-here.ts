// Reads a file in this process, for tests that need no sandbox.
import { join } from "node:path";
import type { ExtractedDocument } from "../../src/domain/document.ts";
import { DEFAULT_LIMITS, type ExtractLimits } from "../../src/extract/limits.ts";
import { openReaders } from "../../src/extract/read.ts";

export function readHere(
  filename: string,
  content: Buffer | string,
  limits: Partial<ExtractLimits> = {},
): Promise<ExtractedDocument> {
  const ocr = {
    dataDir: join(import.meta.dirname, "..", "..", "ocr-data"),
    languages: ["eng", "jpn"],
  };
  const readers = openReaders({ ocr, limits: { ...DEFAULT_LIMITS, ...limits } });
  const file = { bytes: Buffer.from(content), filename, forceOcr: false };
  return readers.read(file, { progress: () => {}, alive: () => {} });
}

// Reads a file in this process: for what needs no sandbox to be shown.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ExtractedDocument } from "../../src/domain/document.ts";
import { DEFAULT_LIMITS, type ExtractLimits } from "../../src/extract/limits.ts";
import { readDocument } from "../../src/extract/read.ts";

export async function readHere(
  filename: string,
  bytes: Buffer | string,
  limits: Partial<ExtractLimits> = {},
): Promise<ExtractedDocument> {
  const folder = await mkdtemp(join(tmpdir(), "read-"));
  const path = join(folder, "file");
  await writeFile(path, bytes);
  const ocr = {
    dataDir: join(import.meta.dirname, "..", "..", "ocr-data"),
    languages: ["eng", "jpn"],
  };
  const job = { path, filename, forceOcr: false, ocr, limits: { ...DEFAULT_LIMITS, ...limits } };
  try {
    return await readDocument(job, { progress: () => {}, alive: () => {} });
  } finally {
    await rm(folder, { recursive: true });
  }
}

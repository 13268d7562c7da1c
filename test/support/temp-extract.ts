// An Extract whose readers are those that ship, and files for it in a temporary folder.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ExtractedDocument } from "../../src/domain/document.ts";
import {
  type Extract,
  type ExtractLimits,
  type OcrSettings,
  openExtract,
} from "../../src/extract/extract.ts";
import { shippedUrl } from "./shipped.ts";
import { silentLog } from "./silent-log.ts";
import { tempFolder } from "./temp-folder.ts";

export interface TempExtract extends Extract {
  read(
    filename: string,
    bytes: Buffer | string,
    options?: { forceOcr?: boolean; signal?: AbortSignal; caller?: string },
  ): Promise<ExtractedDocument>;
}

const ROOT = join(import.meta.dirname, "..", "..");

export interface TempExtractOptions {
  readonly limits?: Partial<ExtractLimits>;
  readonly childUrl?: URL;
  readonly workers?: number;
  readonly ocr?: OcrSettings;
}

export async function tempExtract(options: TempExtractOptions = {}): Promise<TempExtract> {
  const folder = tempFolder("extract");
  const extract = openExtract({
    childUrl: options.childUrl ?? shippedUrl("extract/sandbox/child"),
    ocr: options.ocr ?? { dataDir: join(ROOT, "ocr-data"), languages: ["eng", "jpn"] },
    log: silentLog(),
    workers: options.workers ?? 1,
    // A page under OCR takes seconds of the processor, and others use it too.
    limits: { stallMs: 250_000, totalMs: 250_000, ...options.limits },
  });
  let count = 0;
  return {
    ...extract,
    async read(filename, bytes, { forceOcr = false, signal, caller = "owner" } = {}) {
      count += 1;
      const path = join(folder, String(count));
      await writeFile(path, bytes);
      const sizeBytes = Buffer.byteLength(bytes);
      const file = { path, filename, forceOcr, sizeBytes, caller };
      return extract.extract(file, signal === undefined ? {} : { signal });
    },
    async close() {
      await extract.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

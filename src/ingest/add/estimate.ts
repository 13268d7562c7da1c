// How long an add will take, for the answer to an asynchronous call: order of magnitude, never a promise.
import { formatOfName } from "../../domain/format-name.ts";
import type { AddRequest } from "../../domain/task.ts";

// Measured on two cores: a thousand chunks of 500 characters are stored a second, some 100 where the model reads them
// first; a picture takes OCR one to two seconds. PDF and office files hold about a tenth of their bytes as text.
const CHUNKS_PER_SECOND = { light: 1_000, model: 100 };
const CHUNK_BYTES = 500;
const SECONDS_PER_PICTURE = 2;
const TEXT_SHARE = 0.1;

export function estimateSeconds(
  { filename, sizeBytes, forceOcr }: Pick<AddRequest, "filename" | "sizeBytes" | "forceOcr">,
  { ahead, reader }: { readonly ahead: number; readonly reader: "light" | "model" },
): number {
  const format = formatOfName(filename);
  const isPicture = format === "jpg" || format === "png";
  const isPlain = format === "md" || format === "txt" || format === "csv" || format === "json";
  const text = isPicture ? 0 : sizeBytes * (isPlain ? 1 : TEXT_SHARE);
  const own = text / CHUNK_BYTES / CHUNKS_PER_SECOND[reader];
  // About 50 kB a page; each page is then a picture.
  const pages = forceOcr ? Math.ceil(sizeBytes / 50_000) : 0;
  const pictures = isPicture ? 1 : pages;
  return Math.max(1, Math.ceil(own + pictures * SECONDS_PER_PICTURE + ahead));
}

// Reads a file's bytes, after checking its size. The calls block, because a reader process has nothing else to do.
import { readFileSync, statSync } from "node:fs";
import { KnowledgeError } from "../../domain/errors.ts";

export function load(path: string, maxBytes: number): Buffer {
  const size = sizeOf(path);
  if (size > maxBytes) throw fileTooLarge(size, maxBytes);
  return readFileSync(path);
}

function sizeOf(path: string): number {
  try {
    return statSync(path).size;
  } catch (cause) {
    throw new KnowledgeError("FILE_NOT_FOUND", "The file does not exist or cannot be read.", {
      cause,
    });
  }
}

function fileTooLarge(size: number, limit: number): KnowledgeError {
  const inMb = (bytes: number) => Math.ceil(bytes / (1024 * 1024));
  return new KnowledgeError(
    "FILE_TOO_LARGE",
    `File size (${inMb(size)} MB) exceeds maximum allowed size (${inMb(limit)} MB)`,
    { details: { max_size_mb: inMb(limit) } },
  );
}

// Stores a note for a folder; its files are read one by one when its task runs.
import { basename } from "node:path";
import { KnowledgeError } from "../../domain/errors.ts";
import { toFilename } from "../../text/clean/filename.ts";
import { scanFolder } from "../folders/scan.ts";
import type { TakenIn } from "./intake.ts";

type Kept = Pick<TakenIn, "contentHash" | "sizeBytes" | "keepAgain" | "release">;

interface Taking {
  readonly keep: (bytes: AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<Kept>;
  readonly signal: AbortSignal;
}

export async function takeFolder(folder: string, { keep, signal }: Taking): Promise<TakenIn> {
  const found = await scanFolder({ root: folder, signal });
  if (found.size === 0) throw nothingIn();
  const kept = await keep(noteOf(folder), signal);
  return {
    ...kept,
    filename: toFilename(basename(folder)),
    sourcePath: folder,
    sizeBytes: [...found.values()].reduce((sum, file) => sum + file.sizeBytes, 0),
    many: { kind: "folder", found: found.size },
  };
}

async function* noteOf(folder: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(JSON.stringify({ folder }));
}

function nothingIn(): KnowledgeError {
  return new KnowledgeError(
    "EMPTY_DOCUMENT",
    "This folder has nothing to add: every file is hidden, ignored (.gitignore, .knowledgeignore) or of an unsupported format.",
  );
}

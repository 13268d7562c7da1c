// Stores a note for a folder; its files are read one by one when its task runs.
import { basename, relative, sep } from "node:path";
import { KnowledgeError } from "../../domain/errors.ts";
import { countLeftOut } from "../../domain/task.ts";
import { toFilename } from "../../text/clean/filename.ts";
import { describeLeftOut, type LeftOut } from "../../text/english/left-out.ts";
import { scanAll } from "../folders/walk.ts";
import type { Accepted } from "./intake.ts";

type Kept = Pick<Accepted, "contentHash" | "sizeBytes" | "ensureStored" | "release">;

interface Taking {
  readonly keep: (bytes: AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<Kept>;
  readonly signal: AbortSignal;
}

export async function takeFolder(folder: string, { keep, signal }: Taking): Promise<Accepted> {
  const { found, leftOut } = await scanAll({ root: folder, signal });
  const archives = leftOut.archives.map((path) => relative(folder, path).split(sep).join("/"));
  const left = describeLeftOut({ ...leftOut, archives });
  if (found.size === 0) throw nothingIn(left);
  const kept = await keep(noteOf(folder), signal);
  return {
    ...kept,
    filename: toFilename(basename(folder)),
    sourcePath: folder,
    sizeBytes: [...found.values()].reduce((sum, file) => sum + file.sizeBytes, 0),
    many: { kind: "folder", found: found.size, ...leftOutFields(leftOut, left) },
  };
}

function leftOutFields(leftOut: LeftOut, left: string | undefined) {
  const counts = countLeftOut(leftOut);
  return left === undefined || counts === undefined ? {} : { left, leftOut: counts };
}

async function* noteOf(folder: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(JSON.stringify({ folder }));
}

function nothingIn(left: string | undefined): KnowledgeError {
  const message =
    "This folder has nothing to add: every file is hidden, ignored (.gitignore, .knowledgeignore) or of an unsupported format.";
  return new KnowledgeError("EMPTY_DOCUMENT", left === undefined ? message : `${message} ${left}.`);
}

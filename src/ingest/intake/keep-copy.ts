// Copies a source into the data folder in one pass that counts, hashes and searches its bytes for secrets, and
// passes the copy to the store.

import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { fromSystem, KnowledgeError, messageOf } from "../../domain/errors.ts";
import { type Message, toMessage } from "../../domain/phrases/messages.ts";
import { oncePerSecond, probeWrite, type Store } from "../../store/store.ts";
import { openByteCheck } from "./secret-content.ts";

const MB = 1024 * 1024;

export interface CopyOptions {
  /** On the same disk as the data folder, so the store can move files in instead of copying them again. */
  readonly incomingDir: string;
  readonly maxFileBytes: number;
}

/**
 * Stores the bytes. `ensureStored` stores them again if a removal has deleted them meanwhile; `release` is to be called
 * afterwards in every case.
 */
export async function keepCopy(
  bytes: AsyncIterable<Uint8Array>,
  { incomingDir, maxFileBytes, store }: CopyOptions & { readonly store: Store },
  signal: AbortSignal,
) {
  const copyPath = join(incomingDir, randomUUID());
  // A copy left behind only takes space until the next tidying.
  const release = () => rm(copyPath, { force: true }).catch(() => {});
  try {
    await makeIncoming(incomingDir);
    const { contentHash, sizeBytes } = await copyTo(copyPath, bytes, { maxFileBytes, signal });
    const keep = () => store.originals.keep(contentHash, copyPath);
    await keep();
    const ensureStored = async () => {
      if (await store.originals.has(contentHash)) return;
      await keep().catch((thrown: unknown) => {
        throw fromSystem(thrown, "store");
      });
    };
    return { contentHash, sizeBytes, ensureStored, release };
  } catch (thrown) {
    await release();
    throw fromSystem(thrown, "store");
  }
}

interface Copying extends Pick<CopyOptions, "maxFileBytes"> {
  readonly signal: AbortSignal;
}

async function copyTo(
  copyPath: string,
  bytes: AsyncIterable<Uint8Array>,
  { maxFileBytes, signal }: Copying,
) {
  const hash = createHash("sha256");
  const secrets = openByteCheck();
  let sizeBytes = 0;
  // Always closed at the end; closing can fail too if the disk is full.
  await using copy = await open(copyPath, "wx", 0o600);
  for await (const part of bytes) {
    if (signal.aborted) throw new KnowledgeError("CANCELLED", "The call was cancelled.");
    sizeBytes += part.byteLength;
    // A file may grow while it is read.
    if (sizeBytes > maxFileBytes) checkSize(sizeBytes, maxFileBytes);
    hash.update(part);
    secrets.push(part);
    await writeAll(copy, part);
  }
  checkSize(sizeBytes, maxFileBytes);
  secrets.end();
  return { contentHash: hash.digest("hex"), sizeBytes };
}

/** On an almost full disk a write may store only part of the bytes; the error comes with the next write. */
async function writeAll(copy: FileHandle, part: Uint8Array): Promise<void> {
  for (let from = 0; from < part.byteLength; ) {
    const { bytesWritten } = await copy.write(part, from);
    if (bytesWritten === 0) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    from += bytesWritten;
  }
}

/**
 * Does not create the data folder itself, which comes with the database: if it was moved, an empty one must not
 * replace it.
 */
async function makeIncoming(incomingDir: string): Promise<void> {
  await mkdir(incomingDir, { mode: 0o700 }).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code !== "EEXIST") throw fromSystem(thrown, "store");
  });
}

// Rounded up, so that a size above the limit is never shown as the limit.
function megabytes(sizeBytes: number): number {
  return Math.ceil((sizeBytes / MB) * 10) / 10;
}

export function checkSize(sizeBytes: number, maxFileBytes: number): void {
  if (sizeBytes === 0) {
    throw new KnowledgeError("EMPTY_DOCUMENT", toMessage("empty"));
  }
  if (sizeBytes <= maxFileBytes) return;
  const most = maxFileBytes / MB;
  throw new KnowledgeError(
    "FILE_TOO_LARGE", // The contract's words, and nothing beside them.
    `File size (${megabytes(sizeBytes)} MB) exceeds maximum allowed size (${most} MB)`,
    {
      details: { max_size_mb: most },
    },
  );
}

/** Tries the first step of an add. Returns the problem, or undefined if there is none. */
export function openIncomingCheck({ incomingDir }: Pick<CopyOptions, "incomingDir">) {
  return oncePerSecond(async (): Promise<Message | undefined> => {
    try {
      await makeIncoming(incomingDir);
    } catch (thrown) {
      return messageOf(thrown);
    }
    return probeWrite(incomingDir);
  });
}

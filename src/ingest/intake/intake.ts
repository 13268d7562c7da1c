// What is asked to be added is checked, then its bytes are copied once, hashed, and kept by the store.
import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { fromSystem, KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import { formatOfName, isArchiveName, unsupportedFormat } from "../../domain/format-name.ts";
import type { PageFacts } from "../../domain/own-facts.ts";
import { oncePerSecond, rehearseWrite, type Store } from "../../store/store.ts";
import { toFilename } from "../../text/clean/filename.ts";
import type { Web } from "../web/fetch-page.ts";
import { openPathGate, type PathGateOptions } from "./path-gate.ts";
import { openByteCheck, refuseSecretName } from "./secret-content.ts";
import { takeFolder } from "./take-folder.ts";
import { takePage } from "./take-page.ts";

export type Source =
  /**
   * `anywhere`: a person at this machine named it, so the roots do not bound it. `within`: a followed folder does.
   * Secrets stay refused.
   */
  | {
      readonly kind: "file";
      readonly path: string;
      readonly anywhere?: boolean;
      readonly within?: string;
    }
  | {
      readonly kind: "upload";
      readonly filename: string;
      /** What it is known by: content that comes from there again replaces it. */
      readonly sourcePath?: string;
      readonly bytes: AsyncIterable<Uint8Array>;
    }
  /** `refresh`: also when it is in the knowledge base already. */
  | { readonly kind: "page"; readonly url: string; readonly refresh: boolean };

export interface IntakeOptions extends PathGateOptions {
  readonly store: Store;
  /** On the data folder's disk, so that the store can move a copy in instead of copying it again. */
  readonly incomingDir: string;
  readonly maxFileBytes: number;
  /** How pages are fetched; without it none are. */
  readonly web?: Web | undefined;
}

const MB = 1024 * 1024;

export interface TakenIn {
  readonly filename: string;
  readonly sourcePath?: string;
  readonly contentHash: string;
  readonly sizeBytes: number;
  /** A folder: what is kept is a note of it, and `found` the number of its files. An archive is kept until it is read. */
  readonly many?: { readonly kind: "folder" | "archive"; readonly found?: number };
  /** A page of the web. */
  readonly page?: PageFacts;
  /** Once a task needs the bytes: a removal may have let them go while none did. */
  keepAgain(): Promise<void>;
  /** Afterwards, whatever came of it. */
  release(): Promise<void>;
}

export type TakeIn = (source: Source, signal: AbortSignal) => Promise<TakenIn>;

/** Checks in the contract's order, then keeps the bytes. Nothing of a refused source stays. */
export function openIntake(options: IntakeOptions): TakeIn {
  const { maxFileBytes } = options;
  const gate = openPathGate(options);
  const openGate = openPathGate({ ...options, roots: "anywhere" });
  const gateFor = ({ anywhere, within }: { anywhere?: boolean; within?: string }) => {
    if (within !== undefined) return openPathGate({ ...options, roots: [within] });
    return anywhere ? openGate : gate;
  };

  const keep = async (bytes: AsyncIterable<Uint8Array>, signal: AbortSignal) =>
    keepCopied(await copyIn(bytes, options, signal), options.store);

  return async (source, signal) => {
    if (source.kind === "page") return takePage(source, { ...options, keep, checkName, signal });
    if (source.kind === "upload") {
      const { sourcePath } = source;
      const filename = toFilename(source.filename);
      refuseSecretName(filename);
      checkName(filename);
      const place = sourcePath === undefined ? {} : { sourcePath };
      return { filename, ...place, ...(await keep(readUpload(source.bytes), signal)) };
    }
    const named = gateFor(source);
    const isBound = source.anywhere !== true && source.within === undefined;
    const folder = isBound ? await named.folder(source.path) : undefined;
    if (folder !== undefined) return takeFolder(folder, { keep, signal });
    kindOf(named.resolve(source.path), isBound);
    const { handle, path, filename, sizeBytes } = await named.open(source.path);
    try {
      const many = kindOf(filename, isBound);
      checkSize(sizeBytes, maxFileBytes);
      const kept = await keep(readFile(handle), signal);
      return { filename, sourcePath: path, ...kept, ...many };
    } finally {
      await handle.close();
    }
  };
}

async function keepCopied({ copyPath, contentHash, sizeBytes }: Copied, store: Store) {
  const keepCopy = async () => {
    try {
      await store.originals.keep(contentHash, copyPath);
    } catch (thrown) {
      throw fromSystem(thrown, "store");
    }
  };
  const release = () => dropCopy(copyPath);
  const keepAgain = async () => {
    if (!(await store.originals.has(contentHash))) await keepCopy();
  };
  try {
    await keepCopy();
  } catch (thrown) {
    await release();
    throw thrown;
  }
  return { contentHash, sizeBytes, keepAgain, release };
}

/** Does what taking a file in does first. */
export function openIncomingCheck({ incomingDir }: IntakeOptions) {
  return oncePerSecond(async (): Promise<string | undefined> => {
    try {
      await makeIncoming(incomingDir);
    } catch (thrown) {
      return toKnowledgeError(thrown).message;
    }
    return rehearseWrite(incomingDir);
  });
}

interface Copied {
  readonly contentHash: string;
  readonly sizeBytes: number;
  readonly copyPath: string;
}

/** An archive, where many documents may come of one file; else as `checkName` says. */
function kindOf(filename: string, mayBeMany: boolean): Pick<TakenIn, "many"> {
  if (mayBeMany && isArchiveName(filename)) return { many: { kind: "archive" } };
  checkName(filename);
  return {};
}

/** Names whose extension is none of ours are refused without a look at the disk. */
function checkName(filename: string): void {
  const extension = /\.([^./\\]+)$/.exec(filename)?.[1];
  if (extension === undefined || formatOfName(filename) !== undefined) return;
  throw unsupportedFormat(extension);
}

function checkSize(sizeBytes: number, maxFileBytes: number): void {
  if (sizeBytes === 0) {
    throw new KnowledgeError("EMPTY_DOCUMENT", "The file is empty: there is nothing to add.");
  }
  if (sizeBytes <= maxFileBytes) return;
  const most = maxFileBytes / MB;
  throw new KnowledgeError(
    "FILE_TOO_LARGE",
    `File size (${megabytes(sizeBytes)} MB) exceeds maximum allowed size (${most} MB)`,
    { details: { max_size_mb: most } },
  );
}

/** What fails while the source is read is the file's failure; while the copy is written, the data folder's. */
async function* readFile(handle: FileHandle): AsyncGenerator<Uint8Array> {
  try {
    yield* handle.createReadStream({ autoClose: false });
  } catch (thrown) {
    throw fromSystem(thrown, "file");
  }
}

async function* readUpload(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (cause) {
    if (cause instanceof KnowledgeError) throw cause;
    throw new KnowledgeError("CANCELLED", "The upload was broken off. Send the file again.", {
      cause,
    });
  }
}

/** A copy that stays behind is only space, which the next tidying gives back. */
async function dropCopy(copyPath: string): Promise<void> {
  await rm(copyPath, { force: true }).catch(() => {});
}

/** The caller removes the copy when the store did not take it. */
async function copyIn(
  bytes: AsyncIterable<Uint8Array>,
  { incomingDir, maxFileBytes }: IntakeOptions,
  signal: AbortSignal,
): Promise<Copied> {
  const copyPath = join(incomingDir, randomUUID());
  const hash = createHash("sha256");
  const secrets = openByteCheck();
  let sizeBytes = 0;
  try {
    await makeIncoming(incomingDir);
    // Closed at the end in any case; closing can fail too, when the disk is full.
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
  } catch (thrown) {
    await dropCopy(copyPath);
    throw fromSystem(thrown, "store");
  }
  return { contentHash: hash.digest("hex"), sizeBytes, copyPath };
}

/** A disk that is almost full takes a part of it, and says so only when the rest is written. */
async function writeAll(copy: FileHandle, part: Uint8Array): Promise<void> {
  for (let from = 0; from < part.byteLength; ) {
    const { bytesWritten } = await copy.write(part, from);
    if (bytesWritten === 0) throw Object.assign(new Error("no space"), { code: "ENOSPC" });
    from += bytesWritten;
  }
}

/** The data folder itself is made with the database: one that was moved must not come back half empty. */
async function makeIncoming(incomingDir: string): Promise<void> {
  await mkdir(incomingDir, { mode: 0o700 }).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code !== "EEXIST") throw fromSystem(thrown, "store");
  });
}

// Rounded up: a size that is too large never reads as the limit itself.
function megabytes(sizeBytes: number): number {
  return Math.ceil((sizeBytes / MB) * 10) / 10;
}

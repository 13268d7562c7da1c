// What is asked to be added is checked, then its bytes are copied once, hashed, and kept by the store.
import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { CONTRACT_FORMATS } from "../domain/document.ts";
import { KnowledgeError, toKnowledgeError } from "../domain/errors.ts";
import { toFilename } from "../domain/filename.ts";
import { formatOfName } from "../domain/format-name.ts";
import { oncePerSecond, rehearseWrite, type Store } from "../store/store.ts";
import { openPathGate, type PathGateOptions } from "./path-gate.ts";
import { openByteCheck, refuseSecretName } from "./secret-content.ts";

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
      readonly bytes: AsyncIterable<Uint8Array>;
    };

export interface IntakeOptions extends PathGateOptions {
  readonly store: Store;
  /** On the data folder's disk, so that the store can move a copy in instead of copying it again. */
  readonly incomingDir: string;
  readonly maxFileBytes: number;
}

const MB = 1024 * 1024;

export interface TakenIn {
  readonly filename: string;
  readonly sourcePath?: string;
  readonly contentHash: string;
  readonly sizeBytes: number;
}

/** Checks in the contract's order, then keeps the bytes. Nothing of a refused source stays. */
export function openIntake(options: IntakeOptions) {
  const { store, maxFileBytes } = options;
  const gate = openPathGate(options);
  const openGate = openPathGate({ ...options, roots: "anywhere" });
  const gateFor = ({ anywhere, within }: { anywhere?: boolean; within?: string }) => {
    if (within !== undefined) return openPathGate({ ...options, roots: [within] });
    return anywhere ? openGate : gate;
  };

  const keep = async (bytes: AsyncIterable<Uint8Array>, signal: AbortSignal) => {
    const { copyPath, contentHash, sizeBytes } = await copyIn(bytes, options, signal);
    try {
      await store.originals.keep(contentHash, copyPath);
      return { contentHash, sizeBytes };
    } finally {
      await rm(copyPath, { force: true });
    }
  };

  return async (source: Source, signal: AbortSignal): Promise<TakenIn> => {
    if (source.kind === "upload") {
      const filename = toFilename(source.filename);
      refuseSecretName(filename);
      checkName(filename);
      return { filename, ...(await keep(source.bytes, signal)) };
    }
    const named = gateFor(source);
    checkName(named.resolve(source.path));
    const { handle, path, filename, sizeBytes } = await named.open(source.path);
    try {
      checkName(filename);
      checkSize(sizeBytes, maxFileBytes);
      const kept = await keep(handle.createReadStream({ autoClose: false }), signal);
      return { filename, sourcePath: path, ...kept };
    } finally {
      await handle.close();
    }
  };
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

/** Names whose extension is none of ours are refused without a look at the disk. */
function checkName(filename: string): void {
  const extension = /\.([^./\\]+)$/.exec(filename)?.[1];
  if (extension === undefined || formatOfName(filename) !== undefined) return;
  throw new KnowledgeError(
    "UNSUPPORTED_FORMAT",
    `Unsupported file format: .${extension.toLowerCase().slice(0, 20)}. Use PDF, DOCX, PPTX, XLSX, HTML, JPG, PNG, or SVG`,
    { details: { supported_formats: CONTRACT_FORMATS } },
  );
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

/** The caller removes the copy when the store did not take it. */
async function copyIn(
  bytes: AsyncIterable<Uint8Array>,
  { incomingDir, maxFileBytes }: IntakeOptions,
  signal: AbortSignal,
): Promise<Copied> {
  await makeIncoming(incomingDir);
  const copyPath = join(incomingDir, randomUUID());
  const hash = createHash("sha256");
  const secrets = openByteCheck();
  let sizeBytes = 0;
  const copy = await open(copyPath, "wx", 0o600);
  try {
    for await (const part of bytes) {
      if (signal.aborted) throw new KnowledgeError("CANCELLED", "The call was cancelled.");
      sizeBytes += part.byteLength;
      // A file may grow while it is read.
      if (sizeBytes > maxFileBytes) checkSize(sizeBytes, maxFileBytes);
      hash.update(part);
      secrets.push(part);
      await copy.write(part);
    }
    checkSize(sizeBytes, maxFileBytes);
    secrets.end();
    return { contentHash: hash.digest("hex"), sizeBytes, copyPath };
  } catch (error) {
    await rm(copyPath, { force: true });
    throw error;
  } finally {
    await copy.close();
  }
}

/** The data folder itself is made with the database: one that was moved must not come back half empty. */
async function makeIncoming(incomingDir: string): Promise<void> {
  await mkdir(incomingDir, { mode: 0o700 }).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === "EEXIST") return;
    throw new KnowledgeError(
      "STORE_UNAVAILABLE",
      "The data folder could not be written to, so nothing can be added. Check that it exists and that the server's user may write to it.",
      { cause: thrown },
    );
  });
}

// Rounded up: a size that is too large never reads as the limit itself.
function megabytes(sizeBytes: number): number {
  return Math.ceil((sizeBytes / MB) * 10) / 10;
}

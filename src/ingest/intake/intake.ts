// Checks a file, folder, upload or web page that is to be added, and passes its bytes to the store.
import type { FileHandle } from "node:fs/promises";
import { fromSystem, KnowledgeError } from "../../domain/errors.ts";
import { formatOfName, isArchiveName, unsupportedFormat } from "../../domain/format-name.ts";
import type { PageFacts } from "../../domain/internal-metadata.ts";
import type { LeftOutCounts } from "../../domain/task.ts";
import type { Store } from "../../store/store.ts";
import { toFilename } from "../../text/clean/filename.ts";
import type { Web } from "../web/fetch-page.ts";
import { type CopyOptions, checkSize, copyIn, keepCopied } from "./keep-copy.ts";
import { openPathGate, type PathGateOptions } from "./path-gate.ts";
import { refuseSecretName } from "./secret-content.ts";
import { takeFolder } from "./take-folder.ts";
import { takePage } from "./take-page.ts";

export type Source =
  /**
   * `anywhere`: a person at this machine named the file, so the allowed folders do not apply. `within`: only this
   * watched folder is allowed. Secrets are always refused.
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
      /** Identifies the document: new content from the same source replaces it. */
      readonly sourcePath?: string;
      readonly bytes: AsyncIterable<Uint8Array>;
      /** If set, an archive is accepted as the files in it. Otherwise, and inside another archive, it is refused. */
      readonly mayBeMany?: boolean;
    }
  /** `refresh`: fetched again even if it is already in the knowledge base. */
  | { readonly kind: "page"; readonly url: string; readonly refresh: boolean };

export interface IntakeOptions extends PathGateOptions, CopyOptions {
  readonly store: Store;
  /** Fetches pages; without it, pages are refused. */
  readonly web?: Web | undefined;
}

export interface Accepted {
  readonly filename: string;
  readonly sourcePath?: string;
  readonly contentHash: string;
  readonly sizeBytes: number;
  /** For a folder only a note is stored; `found` is the number of its files. An archive is stored until it is read. */
  readonly many?: {
    readonly kind: "folder" | "archive";
    readonly found?: number;
    /** The files of the folder that are not added, as a sentence. */
    readonly left?: string;
    readonly leftOut?: LeftOutCounts;
  };
  /** Set for a web page. */
  readonly page?: PageFacts;
  /** Call it once a task refers to the bytes: until then a removal may have deleted them. */
  ensureStored(): Promise<void>;
  /** Call it afterwards in every case. */
  release(): Promise<void>;
}

export type Accept = (source: Source, signal: AbortSignal) => Promise<Accepted>;

/** Checks in the contract's order, then stores the bytes. Nothing of a refused source is kept. */
export function openIntake(options: IntakeOptions): Accept {
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
      const many = kindOf(filename, source.mayBeMany === true);
      const place = sourcePath === undefined ? {} : { sourcePath };
      return { filename, ...place, ...(await keep(readUpload(source.bytes), signal)), ...many };
    }
    const named = gateFor(source);
    const isBound = source.anywhere !== true && source.within === undefined;
    const folder = isBound ? await named.folder(source.path) : undefined;
    if (folder !== undefined) return takeFolder(folder, { keep, signal });
    const mayBeMany = source.within === undefined;
    kindOf(named.resolve(source.path), mayBeMany);
    const { handle, path, filename, sizeBytes } = await named.open(source.path);
    try {
      const many = kindOf(filename, mayBeMany);
      checkSize(sizeBytes, maxFileBytes);
      const kept = await keep(readFile(handle), signal);
      return { filename, sourcePath: path, ...kept, ...many };
    } finally {
      await handle.close();
    }
  };
}

/** Also accepts archives, for callers that can add many documents from one file. */
function kindOf(filename: string, mayBeMany: boolean): Pick<Accepted, "many"> {
  if (mayBeMany && isArchiveName(filename)) return { many: { kind: "archive" } };
  checkName(filename);
  return {};
}

/** Refuses unsupported extensions before touching the disk. */
function checkName(filename: string): void {
  const extension = /\.([^./\\]+)$/.exec(filename)?.[1];
  if (extension === undefined || formatOfName(filename) !== undefined) return;
  throw unsupportedFormat(extension);
}

/** A read error is reported for the source, a write error for the data folder. */
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
    throw new KnowledgeError("CANCELLED", "The upload was interrupted. Send the file again.", {
      cause,
    });
  }
}

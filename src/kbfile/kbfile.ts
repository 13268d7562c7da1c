// The raw knowledge base file: read once at start, kept in memory, never a reason to crash.
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import type { Log } from "../observe/log.ts";
import { settlesWithin } from "../observe/silence.ts";

//   loading ──▶ loaded | failed        absent: no path is configured
export type KbFileState =
  | { readonly kind: "absent" | "loading" }
  | { readonly kind: "failed"; readonly reason: string }
  | {
      readonly kind: "loaded";
      /** The file's exact content, including a byte order mark. */
      readonly content: string;
      readonly sizeBytes: number;
      readonly lastModified: string;
    };

export interface KbFile {
  readonly description: string;
  state(): KbFileState;
  /** Resolves when loading has ended, whether it succeeded or failed. */
  readonly loaded: Promise<void>;
}

export interface KbFileOptions {
  readonly path?: string | undefined;
  readonly description?: string | undefined;
  readonly log: Log;
}

// A stdio message may have 64 MB, so larger content could never be returned whole.
const MAX_BYTES = 60_000_000;
// Retries a locked or busy file: writers hold a file only briefly, and waiting longer would delay the start.
const RETRY_AFTER_MS = [50, 200, 500];
const TRANSIENT = new Set(["EBUSY", "EAGAIN", "EMFILE", "ENFILE", "EIO", "ETIMEDOUT"]);

const REASONS = new Map(
  Object.entries({
    ENOENT: "it does not exist",
    ENOTDIR: "it does not exist",
    EACCES: "the server has no permission to read it",
    EPERM: "the server has no permission to read it",
    EISDIR: "it is a folder",
    EBUSY: "it is locked by another program",
    ELOOP: "its links form a loop",
    ENAMETOOLONG: "its path is too long",
  }),
);

const CONFIGURED = "The configured knowledge base text file";
const NONE = "No knowledge base file is configured; start the server with --kb-file PATH";

export function openKbFile({ path, description, log }: KbFileOptions): KbFile {
  let state: KbFileState = { kind: path === undefined ? "absent" : "loading" };
  const load = async (from: string) => {
    state = await read(from);
    if (state.kind === "loaded") {
      log.info("kbfile.loaded", { sizeBytes: state.sizeBytes, characters: state.content.length });
    } else if (state.kind === "failed") {
      log.error("kbfile.failed", { path: from, reason: state.reason });
    }
  };
  return {
    description: description ?? (path === undefined ? NONE : CONFIGURED),
    state: () => state,
    loaded: path === undefined ? Promise.resolve() : load(path),
  };
}

// A file on a slow mount must not keep clients from starting; until it has been read it counts as empty.
const WAIT_MS = 2_000;

/** Opens the file and waits up to WAIT_MS for its content. */
export async function loadKbFile(options: KbFileOptions): Promise<KbFile> {
  const kbFile = openKbFile(options);
  await settlesWithin(kbFile.loaded, WAIT_MS);
  return kbFile;
}

async function read(path: string): Promise<KbFileState> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await readOnce(path);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      const delayMs = RETRY_AFTER_MS[attempt];
      if (delayMs === undefined || !TRANSIENT.has(code)) {
        const reason = REASONS.get(code) ?? "reading it failed";
        return { kind: "failed", reason: `The knowledge base file cannot be read: ${reason}.` };
      }
      await wait(delayMs);
    }
  }
}

async function readOnce(path: string): Promise<KbFileState> {
  // Without O_NONBLOCK, opening a pipe would wait for its writer forever.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = await file.stat();
    if (stat.isDirectory()) return failed("it is a folder");
    if (!stat.isFile()) return failed("it is not a regular file");
    if (stat.size > MAX_BYTES) return failed(`it is larger than ${MAX_BYTES / 1_000_000} MB`);
    const bytes = await file.readFile();
    const content = decode(bytes);
    if (content === undefined) return failed("it is not valid UTF-8 text");
    return {
      kind: "loaded",
      content,
      sizeBytes: bytes.length,
      lastModified: stat.mtime.toISOString(),
    };
  } finally {
    await file.close();
  }
}

function failed(reason: string): KbFileState {
  return { kind: "failed", reason: `The knowledge base file cannot be read: ${reason}.` };
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Thrown for any other encoding.
    return undefined;
  }
}

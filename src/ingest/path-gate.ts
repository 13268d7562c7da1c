// Which files may be read: regular ones, inside the allowed folders once links are resolved, no secrets.
import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { basename, isAbsolute, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { KnowledgeError } from "../domain/errors.ts";
import { isSecret } from "./secrets.ts";

export interface PathGateOptions {
  /** Folders whose files may be read. */
  readonly roots: readonly string[];
  /** Folders inside them that may not: the server's own data. */
  readonly closed: readonly string[];
  readonly home: string;
  readonly workingDirectory: string;
}

/** An open file that passed; what is read from `handle` is what was checked, whatever happens to the path. */
export interface OpenedFile {
  readonly handle: FileHandle;
  readonly path: string;
  readonly filename: string;
  readonly sizeBytes: number;
}

export interface PathGate {
  /** The absolute path that is meant. Understands `~`, relative paths and file: addresses; refuses secrets by name. */
  resolve(given: string): string;
  /** The caller closes the handle. */
  open(given: string): Promise<OpenedFile>;
}

const OUTSIDE =
  "The file is outside the folders that this server may read. Copy it into one of them, or start the server with --root FOLDER.";
const SECRET = "Files that may hold keys or credentials are never added.";

export function openPathGate(options: PathGateOptions): PathGate {
  const resolveGiven = (given: string) => {
    const path = toAbsolute(given, options);
    if (isSecret(path)) throw denied(SECRET);
    return path;
  };

  const check = async (path: string) => {
    if (isSecret(path)) throw denied(SECRET);
    const [roots, closed] = await Promise.all([resolved(options.roots), resolved(options.closed)]);
    if (!isInside(path, roots) || isInside(path, closed)) throw denied(OUTSIDE);
  };

  return {
    resolve: resolveGiven,
    async open(given) {
      const wanted = resolveGiven(given);
      const path = await realpath(wanted).catch(async (cause: unknown) => {
        // Outside the roots "there is no such file" would tell what is there.
        await check(wanted);
        throw toFileError(cause);
      });
      await check(path);
      const handle = await openRegular(path);
      try {
        const sizeBytes = await confirmSame(handle, path, check);
        return { handle, path, filename: basename(path), sizeBytes };
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
  };
}

// NONBLOCK: opening a FIFO must not wait for its writer. NOFOLLOW: the path is resolved, so a link here was
// put there after the check.
async function openRegular(path: string): Promise<FileHandle> {
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  return open(path, flags).catch((cause: unknown) => {
    throw toFileError(cause);
  });
}

/** A folder on the way may have been swapped for a link before `open`: what is open must be what stands inside. */
async function confirmSame(
  handle: FileHandle,
  path: string,
  check: (path: string) => Promise<void>,
): Promise<number> {
  const opened = await handle.stat();
  if (opened.isDirectory()) {
    throw new KnowledgeError(
      "INVALID_PARAMETER",
      "'file_path': this is a folder; give one file. The command line adds folders: knowledge-server add FOLDER.",
      { details: { parameter: "file_path" } },
    );
  }
  if (!opened.isFile()) throw denied("Only regular files can be added.");
  const now = await realpath(path).catch(() => undefined);
  if (now === undefined) throw toFileError({ code: "ENOENT" });
  await check(now);
  const standing = await stat(now);
  if (standing.ino !== opened.ino || standing.dev !== opened.dev) throw denied(OUTSIDE);
  return opened.size;
}

function toAbsolute(given: string, { home, workingDirectory }: PathGateOptions): string {
  if (given.includes("\0")) throw invalid("a path holds no NUL character");
  let path = given;
  if (/^file:/i.test(given)) {
    try {
      path = fileURLToPath(given);
    } catch {
      throw invalid("this file: address names no local file");
    }
  }
  if (path === "~" || path.startsWith(`~${sep}`) || path.startsWith("~/")) {
    path = resolve(home, path.slice(2));
  }
  return resolve(workingDirectory, path);
}

/** Roots may be links themselves, and may come to exist later. */
async function resolved(folders: readonly string[]): Promise<readonly string[]> {
  return Promise.all(folders.map((folder) => realpath(folder).catch(() => resolve(folder))));
}

function isInside(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const way = relative(folder, path);
    return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
  });
}

function toFileError(cause: unknown): KnowledgeError {
  const code = (cause as { code?: string }).code;
  if (code === "ENOENT" || code === "ENOTDIR") {
    return new KnowledgeError("FILE_NOT_FOUND", "There is no such file. Check the path.", {
      cause,
    });
  }
  if (code === "ENAMETOOLONG") return invalid("this path is too long");
  if (code === "EACCES" || code === "EPERM" || code === "ELOOP" || code === "ENXIO") {
    return denied("The server has no permission to read this file.", cause);
  }
  return new KnowledgeError("FILE_NOT_FOUND", "The file cannot be read.", { cause });
}

function denied(message: string, cause?: unknown): KnowledgeError {
  return new KnowledgeError("ACCESS_DENIED", message, { cause });
}

function invalid(problem: string): KnowledgeError {
  return new KnowledgeError("INVALID_PARAMETER", `'file_path': ${problem}.`, {
    details: { parameter: "file_path" },
  });
}

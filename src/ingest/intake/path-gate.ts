// Which files may be read: regular ones, inside the allowed folders once links are resolved, nothing hidden, no secrets.
import { constants } from "node:fs";
import { type FileHandle, open, realpath, stat } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { toFilename } from "../../text/clean/filename.ts";
import { isOwnFile } from "./own-files.ts";
import { denied, failed, invalid, REFUSED, toFileError } from "./path-refusals.ts";
import { isHidden, secretKind } from "./secrets.ts";

export interface PathGateOptions {
  /** Folders whose files may be read. `anywhere`: for a person at this machine, who names each file. */
  readonly roots: readonly string[] | "anywhere";
  /** Files and folders inside the roots that may not be read: the server's own. */
  readonly closed: readonly string[];
  readonly home: string;
  readonly workingDirectory: string;
}

/** A checked, open file. Read from `handle`: the path may lead elsewhere by now. */
interface OpenedFile {
  readonly handle: FileHandle;
  readonly path: string;
  readonly filename: string;
  readonly sizeBytes: number;
}

export interface PathGate {
  /** Makes the path absolute: `~`, relative paths and file: addresses. Refuses secrets by name. */
  resolve(given: string): string;
  /** The caller closes the handle. */
  open(given: string): Promise<OpenedFile>;
  /** The folder's real path, or undefined if it is not a folder or cannot be seen. Throws if it is not allowed. */
  folder(given: string): Promise<string | undefined>;
}

/** The paths to compare with, both as configured and with links resolved. */
interface Bounds {
  readonly roots: readonly string[];
  readonly closed: readonly string[];
  /** Folders and files the user configured or named: hidden folders on the way to these are allowed. */
  readonly named: readonly string[];
}

export function openPathGate(options: PathGateOptions): PathGate {
  const resolveGiven = (given: string) => {
    const path = toAbsolute(given, options);
    const kind = secretKind(path);
    if (kind !== undefined) throw denied(`This is a known location of ${kind}. ${REFUSED.secret}`);
    return path;
  };
  return {
    resolve: resolveGiven,
    async open(given) {
      const wanted = resolveGiven(given);
      const bounds = await boundsFor(wanted, options);
      const path = await realpath(wanted).catch((cause: unknown) => {
        // Check first: outside the roots, "no such file" would reveal which files exist.
        check(wanted, bounds);
        throw toFileError(cause);
      });
      check(path, bounds);
      if (!isOpen(wanted, bounds)) throw denied(REFUSED.hidden);
      const handle = await openRegular(path);
      try {
        const sizeBytes = await confirmSame(handle, path, bounds);
        return { handle, path, filename: toFilename(basename(path)), sizeBytes };
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
    async folder(given) {
      const wanted = resolveGiven(given);
      const path = await realpath(wanted).catch(() => undefined);
      const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
      if (path === undefined || !found?.isDirectory()) return undefined;
      const bounds = await boundsFor(wanted, options);
      check(path, bounds);
      if (!isOpen(wanted, bounds)) throw denied(REFUSED.hidden);
      return path;
    },
  };
}

/** Resolved for each call, because roots may be links themselves and may be created later. */
async function boundsFor(wanted: string, { roots, closed }: PathGateOptions): Promise<Bounds> {
  const own = await Promise.all(closed.map(toReal));
  if (roots === "anywhere") {
    const here = join(await toReal(dirname(wanted)), basename(wanted));
    return { roots: [parse(here).root], closed: own, named: [wanted, here] };
  }
  const real = await Promise.all(roots.map(toReal));
  return { roots: real, closed: own, named: [...roots.map((root) => resolve(root)), ...real] };
}

function toReal(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

/** Throws unless this path, with its links resolved, may be read. */
function check(path: string, bounds: Bounds): void {
  if (secretKind(path) !== undefined) throw denied(REFUSED.secret);
  if (!isInside(path, bounds.roots)) throw denied(REFUSED.outside);
  if (isInside(path, bounds.closed)) throw denied(REFUSED.own);
  if (!isOpen(path, bounds)) throw denied(REFUSED.hidden);
}

function isOpen(path: string, { named }: Bounds): boolean {
  const folders = [parse(path).root, ...named];
  return folders.some((folder) => isInside(path, [folder]) && !isHidden(relative(folder, path)));
}

// NONBLOCK: opening a FIFO must not wait for its writer. NOFOLLOW: the path is resolved, so a link here was
// put there after the check.
async function openRegular(path: string): Promise<FileHandle> {
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);
  return open(path, flags).catch(failed);
}

/**
 * A folder on the path may have been replaced by a link before `open`, so the open file must be the one that is at
 * the path now.
 */
async function confirmSame(handle: FileHandle, path: string, bounds: Bounds): Promise<number> {
  const opened = await handle.stat().catch(failed);
  if (opened.isDirectory()) throw invalid("this is a folder; pass one file");
  if (!opened.isFile()) throw denied("Only regular files can be added.");
  const now = await realpath(path).catch(failed);
  check(now, bounds);
  const { dev, ino } = await stat(now).catch(failed);
  if (dev !== opened.dev || ino !== opened.ino) throw denied(REFUSED.outside);
  // Without hard links the file has one path, and that path has been checked.
  const isLinked = opened.nlink > 1;
  if (isLinked && (await isOwnFile(opened, bounds.closed))) throw denied(REFUSED.own);
  return opened.size;
}

function toAbsolute(given: string, { home, workingDirectory }: PathGateOptions): string {
  if (given.includes("\0")) throw invalid("a path cannot contain a NUL character");
  let path = given;
  if (/^file:/i.test(given)) {
    try {
      path = fileURLToPath(given);
    } catch {
      throw invalid("this file: URL does not name a local file");
    }
  }
  if (path === "~" || path.startsWith(`~${sep}`) || path.startsWith("~/")) {
    path = resolve(home, path.slice(2));
  }
  return resolve(workingDirectory, path);
}

function isInside(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const way = relative(folder, path);
    return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
  });
}

// Which files may be read: regular ones, inside the allowed folders once links are resolved, nothing hidden, no secrets.
import type { Stats } from "node:fs";
import { realpath } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { denied, fromSystem, KnowledgeError } from "../../domain/errors.ts";
import { type MessageCode, toMessage } from "../../domain/phrases/messages.ts";
import {
  ignoreMissing,
  lookAt,
  type NotRead,
  openRegular,
  placeOf,
} from "../../files/regular-file.ts";
import { toFilename } from "../../text/clean/filename.ts";
import { isOwnFile } from "./own-files.ts";
import { isHidden, secretKind } from "./secrets.ts";

export interface PathGateOptions {
  /** Folders whose files may be read. `anywhere`: for a person at this machine, who names each file. */
  readonly roots: readonly string[] | "anywhere";
  /** Files and folders inside the roots that may not be read: the server's own. */
  readonly closed: readonly string[];
  readonly home: string;
  readonly workingDirectory: string;
}

export type PathGate = ReturnType<typeof openPathGate>;

/** The paths to compare with, both as configured and with links resolved. */
interface Bounds {
  readonly roots: readonly string[];
  readonly closed: readonly string[];
  /** Folders and files the user configured or named: hidden folders on the way to these are allowed. */
  readonly named: readonly string[];
  /** The roots as a message names them. */
  readonly shown: () => readonly string[];
}

export function openPathGate(options: PathGateOptions) {
  /** Makes the path absolute: `~`, relative paths and file: addresses. Refuses secrets by name. */
  const resolveGiven = (given: string) => {
    const path = toAbsolute(given, options);
    const kind = secretKind(path);
    if (kind !== undefined) throw denied("secretPlace", kind);
    return path;
  };
  return {
    resolve: resolveGiven,
    /** A checked, open file. Read from its handle and close it: the path may lead elsewhere by now. */
    async open(given: string) {
      const wanted = resolveGiven(given);
      const bounds = await boundsFor(wanted, options);
      const path = await realpath(wanted).catch((cause: unknown) => {
        // Check first: outside the roots, "no such file" would reveal which files exist.
        check(wanted, bounds);
        throw missingFrom(given, toFileError(cause));
      });
      check(path, bounds);
      if (!isOpen(wanted, bounds)) throw denied("fileHidden");
      return openAt(path, bounds);
    },
    /** The folder's real path, or undefined if it is not a folder or cannot be seen. Throws if it is not allowed. */
    async folder(given: string): Promise<string | undefined> {
      const wanted = resolveGiven(given);
      // Whatever the reason, it is not a folder that can be added; the caller goes on as for a file and says why.
      const path = await realpath(wanted).catch(() => undefined);
      const found = path === undefined ? undefined : await lookAt(path).catch(() => undefined);
      if (path === undefined || !found?.isDirectory()) return undefined;
      const bounds = await boundsFor(wanted, options);
      check(path, bounds);
      if (!isOpen(wanted, bounds)) throw denied("fileHidden");
      return path;
    },
  };
}

/** Resolved for each call, because roots may be links themselves and may be created later. */
async function boundsFor(wanted: string, options: PathGateOptions): Promise<Bounds> {
  const { roots, closed, home } = options;
  const own = await Promise.all(closed.map(toReal)).catch(unsure);
  if (roots === "anywhere") {
    const here = join(await toReal(dirname(wanted)).catch(failed), basename(wanted));
    return { roots: [parse(here).root], closed: own, named: [wanted, here], shown: () => [] };
  }
  // A root that cannot be resolved allows nothing; the others still do.
  const real = await Promise.all(roots.map((root) => toReal(root).catch(() => resolve(root))));
  const named = [...roots.map((root) => resolve(root)), ...real];
  return {
    roots: real,
    closed: own,
    named,
    shown: () => roots.map((root) => shownRoot(root, home)),
  };
}

/** What does not exist has no links to resolve. */
async function toReal(path: string): Promise<string> {
  return (await realpath(path).catch(ignoreMissing)) ?? resolve(path);
}

/** While it is unknown which files are the server's own, none is opened. */
function unsure(): never {
  throw denied("ownUnsure");
}

/** Throws unless this path, with its links resolved, may be read. */
function check(path: string, bounds: Bounds): void {
  if (secretKind(path) !== undefined) throw denied("secretFile");
  if (!isInside(path, bounds.roots)) {
    const allowed = [...new Set(bounds.shown())].slice(0, MAX_SHOWN).join(", ");
    throw allowed === "" ? denied("pathOutside") : denied("pathOutsideOf", allowed);
  }
  if (isInside(path, bounds.closed)) throw denied("ownFile");
  if (!isOpen(path, bounds)) throw denied("fileHidden");
}

function isOpen(path: string, { named }: Bounds): boolean {
  const folders = [parse(path).root, ...named];
  return folders.some((folder) => isInside(path, [folder]) && !isHidden(relative(folder, path)));
}

async function openAt(path: string, bounds: Bounds) {
  const opened = await openRegular(path).catch(failed);
  if (opened.kind !== "open") throw refusalOf(opened.kind);
  const { handle, stats } = opened;
  try {
    await confirmPlace(stats, path, bounds);
    const filename = toFilename(basename(path));
    return { handle, path, filename, sizeBytes: stats.size, mtimeMs: stats.mtimeMs };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function refusalOf(kind: NotRead) {
  if (kind === "folder") return invalid("pathIsFolder");
  // The path is resolved, so a link here was put there after the check.
  return denied(kind === "link" ? "pathOutside" : "notRegular");
}

async function confirmPlace(opened: Stats, path: string, bounds: Bounds): Promise<void> {
  const now = await placeOf(opened, path).catch(failed);
  if (now === undefined) throw denied("pathOutside");
  check(now, bounds);
  // Without hard links the file has one path, and that path has been checked.
  const isLinked = opened.nlink > 1;
  if (isLinked && (await isOwnFile(opened, bounds.closed).catch(unsure))) throw denied("ownFile");
}

function toAbsolute(given: string, { home, workingDirectory }: PathGateOptions): string {
  if (given.includes("\0")) throw invalid("pathNul");
  let path = given;
  if (/^file:/i.test(given)) {
    try {
      path = fileURLToPath(given);
    } catch {
      throw invalid("pathNotLocal");
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

const MAX_SHOWN = 5;

/** By its place below the home folder, else by its name alone. */
function shownRoot(root: string, home: string): string {
  const way = relative(home, resolve(root));
  if (way === "") return "~";
  return way.startsWith("..") || isAbsolute(way) ? basename(root) : join("~", way);
}

/** A relative path starts at a folder that a client may not know. */
function missingFrom(given: string, error: unknown): unknown {
  const isMissing = error instanceof KnowledgeError && error.code === "FILE_NOT_FOUND";
  if (!isMissing || isAbsolute(given) || /^(?:~|file:)/i.test(given)) return error;
  return new KnowledgeError(error.code, toMessage("noSuchFileRelative"));
}

function failed(cause: unknown): never {
  throw toFileError(cause);
}

function toFileError(cause: unknown): unknown {
  return fromSystem(cause, "file");
}

function invalid(problem: MessageCode): KnowledgeError {
  const details = { parameter: "file_path" };
  return new KnowledgeError("INVALID_PARAMETER", toMessage(problem), { details });
}

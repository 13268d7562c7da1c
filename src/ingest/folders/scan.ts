// The supported files below a folder that no ignore rule excludes.
import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { formatOfName } from "../../domain/format-name.ts";
import { isSecret, isSkippedFolder } from "../intake/secrets.ts";

/** Enough to see that a file has not changed; if it may have, the hash of its content decides. */
export interface Stamp {
  readonly sizeBytes: number;
  readonly mtimeMs: number;
}

export interface ScanOptions {
  readonly root: string;
  /** Patterns in .gitignore syntax, relative to the root. Without `include`, every supported format. */
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly signal: AbortSignal;
  /** Called for a file or folder that could not be read: nothing below it may count as removed. */
  readonly onUnread?: (path: string) => void;
  /** Called for each file and folder that is skipped. */
  readonly onLeftOut?: (path: string, why: Why) => void;
}

export type Why = "format" | "ignored" | "hidden" | "link" | "empty";

interface Rules {
  readonly folder: string;
  readonly matcher: Ignore;
}

const IGNORE_FILES = [".gitignore", ".knowledgeignore"];

/** Rejects when the root itself cannot be read: a lost mount is not an empty folder. */
export async function scanFolder(options: ScanOptions): Promise<ReadonlyMap<string, Stamp>> {
  const found = new Map<string, Stamp>();
  const { root, include = [], exclude = [], signal, onUnread = () => {}, onLeftOut } = options;
  const own: Rules = { folder: root, matcher: ignore().add([...exclude]) };
  await enter(root, [own], { found, signal, onUnread, onLeftOut });
  if (include.length === 0) return found;
  const wanted = ignore().add([...include]);
  return new Map([...found].filter(([path]) => wanted.ignores(relativePath(path, root))));
}

interface Walk {
  readonly found: Map<string, Stamp>;
  readonly signal: AbortSignal;
  readonly onUnread: (path: string) => void;
  readonly onLeftOut: ScanOptions["onLeftOut"];
}

async function enter(folder: string, outer: readonly Rules[], walk: Walk): Promise<void> {
  const { signal, onUnread } = walk;
  const missed = (path: string) => (error: NodeJS.ErrnoException) => {
    signal.throwIfAborted();
    if (error.code !== "ENOENT" && error.code !== "ENOTDIR") onUnread(path);
    return undefined;
  };
  signal.throwIfAborted();
  const entries = await readdir(folder, { withFileTypes: true });
  const rules = [...outer, ...(await readRules(folder, new Set(entries.map(({ name }) => name))))];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    const why = reasonToSkip(entry, path, { rules, walk });
    if (why === "other") continue;
    if (why !== undefined) walk.onLeftOut?.(path, why);
    else {
      const taken = entry.isDirectory() ? enter(path, rules, walk) : take(path, walk);
      await taken.catch(missed(path));
    }
  }
}

interface ScanContext {
  readonly rules: readonly Rules[];
  readonly walk: Walk;
}

/** "other": sockets and the like, and files in other formats if the caller does not report them. */
function reasonToSkip(
  entry: Dirent,
  path: string,
  { rules, walk }: ScanContext,
): Exclude<Why, "format" | "empty"> | "other" | undefined {
  const isFolder = entry.isDirectory();
  if (entry.isSymbolicLink()) return "link";
  if (!isFolder && (!entry.isFile() || !isRelevant(path, walk))) return "other";
  const isHidden = isFolder
    ? isSkippedFolder(entry.name)
    : entry.name.startsWith(".") || isSecret(path);
  if (isHidden) return "hidden";
  return isIgnored(path, isFolder, rules) ? "ignored" : undefined;
}

async function take(path: string, { found, onLeftOut }: Walk): Promise<void> {
  if (formatOfName(path) === undefined) return onLeftOut?.(path, "format");
  const seen = await stat(path);
  if (seen.isFile() && seen.size === 0) return onLeftOut?.(path, "empty");
  if (seen.isFile()) found.set(path, { sizeBytes: seen.size, mtimeMs: seen.mtimeMs });
}

/** Files in other formats matter only to callers that report them. */
function isRelevant(path: string, { onLeftOut }: Walk): boolean {
  return formatOfName(path) !== undefined || onLeftOut !== undefined;
}

async function readRules(folder: string, names: ReadonlySet<string>): Promise<readonly Rules[]> {
  const present = IGNORE_FILES.filter((name) => names.has(name));
  if (present.length === 0) return [];
  const matcher = ignore();
  for (const name of present) {
    matcher.add(await readFile(join(folder, name), "utf8").catch(() => ""));
  }
  return [{ folder, matcher }];
}

/** The deepest rule that matches a path decides, as in git. */
function isIgnored(path: string, isFolder: boolean, rules: readonly Rules[]): boolean {
  for (const { folder, matcher } of rules.toReversed()) {
    const inFolder = relativePath(path, folder);
    const verdict = matcher.test(isFolder ? `${inFolder}/` : inFolder);
    if (verdict.ignored) return true;
    if (verdict.unignored) return false;
  }
  return false;
}

function relativePath(path: string, folder: string): string {
  return relative(folder, path).split(sep).join("/");
}

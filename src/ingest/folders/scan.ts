// The supported files below a folder that no ignore rule excludes.
import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { setImmediate as yieldOnce } from "node:timers/promises";
import { formatOfName } from "../../domain/format-name.ts";
import { lookAt } from "../../files/regular-file.ts";
import type { Steps } from "../../text/patterns/glob.ts";
import { openIgnoreRules, type Verdict } from "../../text/patterns/ignore-rules.ts";
import { isSecret, isSkippedFolder } from "../intake/secrets.ts";
import { type Rules, readRules } from "./ignore-files.ts";

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
  /**
   * Called for a file or folder that could not be read: nothing below it may count as removed. `reason`: why, unless
   * the system refused it.
   */
  readonly onUnread?: (path: string, reason?: string) => void;
  /** Called for each file and folder that is skipped. */
  readonly onLeftOut?: (path: string, why: Why) => void;
}

export type Why = "format" | "ignored" | "hidden" | "link" | "empty";

/** Deeper folders are left out. Paths that people make are far shorter. */
const MAX_DEPTH = 100;
const TOO_DEEP = `This folder is more than ${MAX_DEPTH} folders deep, so it is left out. Move it up.`;
/** Other work gets its turn after this many steps of matching, which take a few milliseconds. */
const MAX_STEPS = 1_000_000;

/** Rejects when the root itself cannot be read: a lost mount is not an empty folder. */
export async function scanFolder(options: ScanOptions): Promise<ReadonlyMap<string, Stamp>> {
  const { root, include = [], exclude = [], signal, onUnread = () => {}, onLeftOut } = options;
  const found = new Map<string, Stamp>();
  // What the operator set is not limited.
  const wanted = include.length === 0 ? undefined : { folder: root, ...openIgnoreRules(include) };
  const walk: Walk = { found, signal, onUnread, onLeftOut, wanted, steps: { count: 0 } };
  const outer = [{ folder: root, ...openIgnoreRules(exclude), characters: 0 }];
  await enter(root, { outer, depth: 0, isWanted: wanted === undefined }, walk);
  return found;
}

interface Walk {
  readonly found: Map<string, Stamp>;
  readonly signal: AbortSignal;
  readonly onUnread: (path: string, reason?: string) => void;
  readonly onLeftOut: ScanOptions["onLeftOut"];
  readonly wanted: Rules | undefined;
  readonly steps: Steps;
}

interface Level {
  readonly outer: readonly Rules[];
  readonly depth: number;
  /** A pattern of `include` matches the folder or one above, and with it everything below. */
  readonly isWanted: boolean;
}

async function enter(folder: string, { outer, depth, isWanted }: Level, walk: Walk): Promise<void> {
  const { signal, onUnread, wanted } = walk;
  if (depth > MAX_DEPTH) return onUnread(folder, TOO_DEEP);
  const entries = await readdir(folder, { withFileTypes: true });
  const names = new Set(entries.map(({ name }) => name));
  const rules = [...outer, ...(await readRules(folder, names, { outer, onUnread }))];
  for (const entry of entries) {
    if (walk.steps.count > MAX_STEPS) await yieldToOthers(walk);
    signal.throwIfAborted();
    const path = join(folder, entry.name);
    const isFolder = entry.isDirectory();
    const why = reasonToSkip(entry, path, { rules, walk });
    if (why === "other") continue;
    if (why !== undefined) {
      walk.onLeftOut?.(path, why);
      continue;
    }
    const isIn = isWanted || (wanted && findRule(path, isFolder, [wanted], walk) === "ignored");
    const level = { outer: rules, depth: depth + 1, isWanted: isIn === true };
    const taken = isFolder ? enter(path, level, walk) : take(path, level, walk);
    await taken.catch((error: NodeJS.ErrnoException) => {
      signal.throwIfAborted();
      if (error.code !== "ENOENT" && error.code !== "ENOTDIR") onUnread(path);
    });
  }
}

async function yieldToOthers({ steps }: Walk): Promise<void> {
  steps.count = 0;
  await yieldOnce();
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
  return findRule(path, isFolder, rules, walk) === "ignored" ? "ignored" : undefined;
}

async function take(path: string, { isWanted }: Level, { found, onLeftOut }: Walk): Promise<void> {
  if (formatOfName(path) === undefined) return onLeftOut?.(path, "format");
  const seen = await lookAt(path);
  if (seen.isFile() && seen.size === 0) return onLeftOut?.(path, "empty");
  if (seen.isFile() && isWanted) found.set(path, { sizeBytes: seen.size, mtimeMs: seen.mtimeMs });
}

/** Files in other formats matter only to callers that report them. */
function isRelevant(path: string, { onLeftOut }: Walk): boolean {
  return formatOfName(path) !== undefined || onLeftOut !== undefined;
}

/** The deepest rule that matches a path decides, as in git. */
function findRule(
  path: string,
  isFolder: boolean,
  rules: readonly Rules[],
  { steps }: Walk,
): Verdict {
  for (const { folder, match } of rules.toReversed()) {
    const verdict = match(relative(folder, path).split(sep).join("/"), isFolder, steps);
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

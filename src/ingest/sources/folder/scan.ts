// The supported files below a folder that no ignore rule excludes.
import type { Dirent } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { setImmediate as yieldOnce } from "node:timers/promises";
import { formatOfName, isArchiveName } from "../../../domain/format-name.ts";
import { type Message, toEnglish, toMessage } from "../../../domain/phrases/messages.ts";
import type { LeftOut } from "../../../domain/task.ts";
import { lookAt, type NotRead, openRegular, readWhole } from "../../../files/regular-file.ts";
import type { Log } from "../../../observe/log.ts";
import type { Steps } from "../../../text/patterns/glob.ts";
import {
  type IgnoreRules,
  openIgnoreRules,
  splitRules,
  type Verdict,
} from "../../../text/patterns/ignore-rules.ts";
import { isSecret, isSkippedFolder } from "../../intake/secrets.ts";

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
  readonly onUnread?: (path: string, reason?: Message) => void;
  /** Called for each file and folder that is skipped. */
  readonly onLeftOut?: (path: string, why: Why) => void;
}

type Why = "format" | "ignored" | "hidden" | "link" | "empty";

/** Deeper folders are left out. Paths that people make are far shorter. */
const MAX_DEPTH = 100;
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
  readonly onUnread: (path: string, reason?: Message) => void;
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
  if (depth > MAX_DEPTH) return onUnread(folder, toMessage("folderDeep", MAX_DEPTH));
  const entries = await readdir(folder, { withFileTypes: true });
  const rules = [...outer, ...(await readRules(folder, entries, { outer, onUnread }))];
  for (const entry of entries) {
    if (walk.steps.count > MAX_STEPS) {
      walk.steps.count = 0;
      await yieldOnce();
    }
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

/** "other": sockets and the like, and files in other formats if the caller does not report them. */
function reasonToSkip(
  entry: Dirent,
  path: string,
  { rules, walk }: { readonly rules: readonly Rules[]; readonly walk: Walk },
): Exclude<Why, "format" | "empty"> | "other" | undefined {
  const isFolder = entry.isDirectory();
  if (entry.isSymbolicLink()) return "link";
  // Files in other formats matter only to callers that report them.
  const isRelevant = formatOfName(path) !== undefined || walk.onLeftOut !== undefined;
  if (!isFolder && (!entry.isFile() || !isRelevant)) return "other";
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

interface Rules extends IgnoreRules {
  readonly folder: string;
}

const IGNORE_FILES = [".gitignore", ".knowledgeignore"];
/** Far more than the largest that projects have, which is 31 KB. */
const MAX_BYTES = 256 * 1024;
/** A rule of this length could name any path of a project. */
const MAX_RULE_LENGTH = 500;
/** Of all rules for a file, those of the folders above it included: each may be matched at every character of a path. */
const MAX_RULE_CHARACTERS = 64 * 1024;

const NOT_USED: Readonly<Record<NotRead, Message>> = {
  folder: toMessage("rulesAreFolder"),
  link: toMessage("rulesAreLink"),
  special: toMessage("rulesAreSpecial"),
  "too-large": toMessage("rulesTooLarge", MAX_BYTES / 1024),
};

/**
 * The rules of a folder's ignore files. Whoever writes the folder writes them, so they are opened like any other file;
 * one that cannot be read has no rules, and is reported. `outer`: the rules of the folders above.
 */
async function readRules(
  folder: string,
  entries: readonly Dirent[],
  { outer, onUnread }: { readonly outer: readonly Rules[] } & Pick<Walk, "onUnread">,
): Promise<readonly Rules[]> {
  const present = IGNORE_FILES.filter((file) => entries.some(({ name }) => name === file));
  const read: (readonly string[])[] = [];
  for (const name of present) {
    const text = await readText(join(folder, name)).catch(toProblem);
    if (typeof text === "string") read.push(splitRules(text));
    else onUnread(join(folder, name), text);
  }
  if (read.length === 0) return [];
  const used = outer.reduce((sum, { characters }) => sum + characters, 0);
  const maxCharacters = MAX_RULE_CHARACTERS - used;
  const rules = openIgnoreRules(read.flat(), { maxLength: MAX_RULE_LENGTH, maxCharacters });
  if (rules.leftOut > 0) onUnread(join(folder, present.at(-1) ?? ""), tooMany(rules.leftOut));
  return [{ folder, ...rules }];
}

function toProblem({ code }: NodeJS.ErrnoException): string | Message {
  return code === "ENOENT" ? "" : toMessage("rulesUnreadable");
}

async function readText(path: string): Promise<string | Message> {
  const opened = await openRegular(path, MAX_BYTES);
  if (opened.kind !== "open") return NOT_USED[opened.kind];
  try {
    const bytes = await readWhole(opened.handle, MAX_BYTES);
    return bytes ? String(bytes) : NOT_USED["too-large"];
  } finally {
    await opened.handle.close();
  }
}

function tooMany(leftOut: number): Message {
  return toMessage("rulesLeftOut", leftOut, MAX_RULE_LENGTH, MAX_RULE_CHARACTERS);
}

export interface Walked {
  readonly files: readonly string[];
  readonly leftOut: LeftOut;
}

/** A file path yields that file; a folder path yields the supported files below it, in a stable order. */
export async function walk(path: string, signal: AbortSignal, log: Log): Promise<Walked> {
  const seen = await realpath(path).then(lookAt, () => undefined);
  if (!seen?.isDirectory()) return { files: [path], leftOut: NOTHING };
  const unread = new Map<string, Message>();
  const onUnread = (at: string, reason?: Message) => reason && unread.set(at, reason);
  const { found, leftOut } = await scanAll({ root: path, signal, onUnread });
  logUnread(log, path, unread);
  return { files: [...found.keys()].sort(), leftOut };
}

/** Ignore files and folders that were not read, in one line however many they are. */
export function logUnread(log: Log, root: string, unread: ReadonlyMap<string, Message>): void {
  const [[path, reason] = []] = unread;
  if (path === undefined) return;
  const file = relative(root, path).split(sep).join("/");
  log.warn("ingest.folder-unread", {
    count: unread.size,
    file,
    reason: reason && toEnglish(reason),
  });
}

/** Also reports files that a person may expect to be added but that are skipped. */
export async function scanAll(
  options: Omit<ScanOptions, "onLeftOut">,
): Promise<{ readonly found: ReadonlyMap<string, Stamp>; readonly leftOut: LeftOut }> {
  const left = new Map<string, Why>();
  const found = await scanFolder({ ...options, onLeftOut: (path, why) => left.set(path, why) });
  const because = (wanted: Why) =>
    [...left].filter(([, why]) => why === wanted).map(([path]) => path);
  const formats = because("format");
  const archives = formats.filter(isArchiveName).sort();
  const leftOut = {
    archives,
    others: formats.length - archives.length,
    ignored: because("ignored").length,
    hidden: because("hidden").length,
    links: because("link").length,
    empty: because("empty").length,
  };
  return { found, leftOut };
}

const NOTHING: LeftOut = { archives: [], others: 0, ignored: 0, hidden: 0, links: 0, empty: 0 };

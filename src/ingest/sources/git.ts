// A git repository, read by the installed `git` from its own bare copy: nothing is checked out, so no filter, hook,
// submodule or attribute of the repository ever runs. What changed is what has another blob.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, readdir, rm, statfs } from "node:fs/promises";
import { devNull } from "node:os";
import { isAbsolute, join } from "node:path";
import { denied, KnowledgeError, messageOf } from "../../domain/errors.ts";
import { type MessageCode, toMessage } from "../../domain/phrases/messages.ts";
import type { SourceSettings } from "../../domain/source.ts";
import { collect } from "../../files/collect.ts";
import { ignoreMissing, lookAt } from "../../files/regular-file.ts";
import { checkSize } from "../intake/keep-copy.ts";
import { openWeb } from "../web/fetch-page.ts";
import { addressOf, toPageAddress } from "../web/page-address.ts";
import {
  copyOf,
  type Found,
  isDocument,
  type Listing,
  MAX_ITEMS,
  type SourceKind,
  type SourceParts,
  tooMany,
} from "./kind.ts";
import { openPatterns } from "./patterns.ts";

export const git: SourceKind = { list, listsAll: true };

/** Commits whose dates are known; what is older than these has no date. */
const DEPTH = 500;
const FETCH_MS = 600_000;
/** A fetch may take so much of the disk, or half of what is free. */
const MAX_COPY_BYTES = 4 * 1024 ** 3;
const LOOK_MS = 200;
const MAX_LIST_BYTES = 64 * 1024 * 1024;

type Variables = Readonly<Record<string, string>>;

interface Repository {
  readonly dir: string;
  readonly signal: AbortSignal;
  /** Beside the server's environment. */
  readonly env?: Variables;
}

async function* list(listing: Listing, parts: SourceParts): AsyncGenerator<Found> {
  const { source, known, signal } = listing;
  const { settings, address } = source;
  const repository = { dir: copyOf(parts.sourcesDir, source.id), signal };
  const commit = await fetchCommit(repository, listing, parts);
  const isWanted = openPatterns(settings);
  const files = (await listFiles(repository, commit)).filter(
    ({ path, sizeBytes }) => isDocument(path, sizeBytes) && isWanted(path),
  );
  const most = settings.maxItems ?? MAX_ITEMS;
  const isChanged = ({ path, blob }: File) =>
    known.get(path)?.version !== blob || known.get(path)?.isMissing;
  const changed = files.slice(0, most).filter(isChanged);
  const changes = await lastChanges(repository, commit, changed);
  for (const { path, blob, sizeBytes } of files.slice(0, most)) {
    const { id: at = commit, date } = changes.get(path) ?? {};
    const sourcePath = `${address}@${settings.ref ?? "HEAD"}!/${path}`;
    const filename = path.slice(path.lastIndexOf("/") + 1);
    yield {
      ...{ kind: "item", item: path, version: blob, metadata: { commit: at } },
      async take(stop) {
        checkSize(sizeBytes, parts.maxFileBytes);
        const bytes = run(repository, ["cat-file", "blob", blob]);
        const upload = { kind: "upload", filename, sourcePath, modified: date, bytes } as const;
        return parts.accept(upload, stop);
      },
    };
  }
  if (files.length > most) yield tooMany(most);
}

interface File {
  readonly path: string;
  readonly blob: string;
  readonly sizeBytes: number;
}

/** Regular files only: no links, no submodules. */
async function listFiles(repository: Repository, commit: string): Promise<readonly File[]> {
  const listed = await readAll(repository, ["ls-tree", "-r", "-z", "-l", "--full-tree", commit]);
  return listed.split("\0").flatMap((line) => {
    const [, blob = "", size = "", path = ""] =
      /^100\d{3} blob ([0-9a-f]{40,64}) +(\d+)\t(.+)$/s.exec(line) ?? [];
    return path === "" ? [] : [{ path, blob, sizeBytes: Number(size) }];
  });
}

/** The last commit of each file and its date, as far as the copy goes back. */
async function lastChanges(repository: Repository, commit: string, files: readonly File[]) {
  const found = new Map<string, { readonly id: string; readonly date: string | undefined }>();
  if (files.length === 0) return found;
  const wanted = new Set(files.map(({ path }) => path));
  const format = "--format=%x01%H %cI %P";
  const flags = ["--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv"];
  const isShallow = (await readAll(repository, ["rev-parse", "--is-shallow-repository"])).trim();
  const log = await readAll(repository, ["log", format, ...flags, "--root", commit]);
  for (const entry of log.split("\u0001").slice(1)) {
    const [head = "", ...paths] = entry.split(/\0\n?|\n/);
    const [id = "", date = "", parent] = head.split(" ");
    // The first commit of a shallow copy seems to have added everything.
    const isCut = isShallow === "true" && !parent;
    for (const path of paths)
      if (wanted.delete(path)) found.set(path, { id, date: isCut ? undefined : date });
    if (wanted.size === 0) break;
  }
  return found;
}

async function fetchCommit(repository: Repository, { source }: Listing, parts: SourceParts) {
  const { address, settings } = source;
  const { ref = "HEAD" } = settings;
  if (!/^[\w][\w./+-]{0,200}$/.test(ref) || ref.includes(".."))
    throw new KnowledgeError("INVALID_PARAMETER", toMessage("gitRefName"));
  await mkdir(parts.sourcesDir, { recursive: true, mode: 0o700 });
  const from = await placeFor(address, settings, parts);
  const hadCopy =
    (await lookAt(join(repository.dir, "FETCH_HEAD")).catch(ignoreMissing)) !== undefined;
  const fetch = async () => {
    const outside = { ...repository, dir: parts.sourcesDir };
    await readAll(outside, ["init", "-q", "--bare", repository.dir]);
    await withinLimits(repository, ({ signal }) => {
      const { args, address: at, env } = from;
      return readAll({ ...repository, signal, env }, [...args, "--", at, ref]);
    });
    return (await readAll(repository, ["rev-parse", "--verify", "FETCH_HEAD^{commit}"])).trim();
  };
  const clear = () => rm(repository.dir, { recursive: true, force: true });
  const tidy = () => (hadCopy ? removeLeftovers(repository) : clear());
  await tidy();
  try {
    return await fetch();
  } catch (thrown) {
    // A git that was killed leaves locks and damage. It is a copy: the next one is whole.
    if (!hadCopy || messageOf(thrown).code !== "gitFailed") {
      await tidy();
      throw thrown;
    }
  }
  await clear();
  return fetch().catch(async (thrown: unknown) => {
    await clear();
    throw thrown;
  });
}

/** Packs that a git did not finish writing; nothing else would remove them. */
async function removeLeftovers({ dir }: Repository): Promise<void> {
  const packs = join(dir, "objects", "pack");
  const names = (await readdir(packs).catch(ignoreMissing)) ?? [];
  for (const name of names)
    if (name.startsWith("tmp_")) await rm(join(packs, name), { force: true });
}

/** Git has no such limit, and what it wrote when the disk was full would keep it full. */
async function withinLimits<T>(
  { dir, signal }: Repository,
  work: (limited: { readonly signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const limit = new AbortController();
  const stop = (why: MessageCode, code: "FILE_UNAVAILABLE" | "FILE_TOO_LARGE") =>
    limit.abort(new KnowledgeError(code, toMessage(why)));
  const before = await freeBytes(dir);
  const most = Math.min(MAX_COPY_BYTES, before / 2);
  const look = async () => {
    if (before - (await freeBytes(dir)) > most) stop("gitTooLarge", "FILE_TOO_LARGE");
  };
  const looks = setInterval(() => void look().catch(() => {}), LOOK_MS);
  const timer = setTimeout(() => stop("gitAway", "FILE_UNAVAILABLE"), FETCH_MS);
  try {
    return await work({ signal: AbortSignal.any([signal, limit.signal]) });
  } finally {
    clearInterval(looks);
    clearTimeout(timer);
  }
}

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

interface Place {
  readonly address: string;
  /** Of git, before the address. */
  readonly args: readonly string[];
  readonly env: Variables;
}

const FETCH = ["fetch", "-q", "--no-tags", "--no-recurse-submodules", `--depth=${DEPTH}`];

/** What callers added is fetched without the server's own keys and settings, and from nowhere else. */
async function placeFor(
  address: string,
  settings: SourceSettings,
  parts: SourceParts,
): Promise<Place> {
  const pinned = await pinAddress(address, settings, parts);
  const given = { address, args: [...pinned, ...FETCH], env: {} };
  if (settings.anywhere) return given;
  if (!isAbsolute(address)) return { ...given, env: withoutSettings(parts.sourcesDir) };
  const strict = "--upload-pack=git-upload-pack --strict";
  return { ...given, address: await ownFolderOf(address), args: [...FETCH, strict] };
}

/** Settings and `.netrc` could give another address, or a password, to git. */
function withoutSettings(home: string): Variables {
  const nowhere = { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: "1" };
  return { ...nowhere, HOME: home, XDG_CONFIG_HOME: home };
}

/** What git reads of a repository. */
const READ = ["HEAD", "packed-refs", "shallow", "refs", "reftable", "objects"];
/** They lead to another one. */
const ELSEWHERE = ["commondir", "objects/info/alternates"];

/** The folder with a repository's data. Rejects if links or worktrees lead out of it, which is for people only. */
async function ownFolderOf(address: string): Promise<string> {
  const inside = join(address, ".git");
  const found = await lookAt(inside).catch(ignoreMissing);
  const folder = found ? inside : address;
  const isFolder = (await lookAt(folder).catch(ignoreMissing))?.isDirectory();
  if (!(found || isFolder)) throw new KnowledgeError("FILE_UNAVAILABLE", toMessage("gitNotThere"));
  const others = ELSEWHERE.map((name) => lookAt(join(folder, name)).catch(ignoreMissing));
  const isElsewhere = (await Promise.all(others)).some((each) => each !== undefined);
  const plain = await Promise.all(READ.map((name) => isPlain(join(folder, name))));
  if (isFolder && !isElsewhere && plain.every(Boolean)) return folder;
  throw denied("forPeopleOnly");
}

/** Files and folders only, as deep as it goes; also what is not there. */
async function isPlain(path: string): Promise<boolean> {
  const found = await lookAt(path).catch(ignoreMissing);
  if (found === undefined || found.isFile()) return true;
  if (!found.isDirectory()) return false;
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.every((entry) => entry.isFile() || entry.isDirectory());
}

/** Git connects to the address that was checked, and follows no redirect. */
async function pinAddress(
  address: string,
  { allowHosts }: SourceSettings,
  { web, signal = AbortSignal.timeout(FETCH_MS) }: SourceParts & { readonly signal?: AbortSignal },
): Promise<readonly string[]> {
  if (isAbsolute(address)) return [];
  const isSsh = /^ssh:\/\/|^[\w.-]+@[\w.-]+:/.test(address);
  const { host = "", hostname = host } = isSsh ? sshHost(address) : new URL(address);
  const allowed = new Set(allowHosts);
  // The port of a repository is its own matter, so only the name is checked.
  if (allowed.has(host) || allowed.has(hostname)) return [];
  const page = toPageAddress(isSsh ? `https://${hostname}/` : address);
  const { resolve } = web ?? openWeb();
  const at = await addressOf(page, { resolve }, signal);
  return isSsh ? [] : ["-c", `http.curloptResolve=${page.host}:${page.port}:${at}`];
}

function sshHost(address: string): { readonly host: string; readonly hostname: string } {
  const hostname = /^(?:ssh:\/\/)?(?:[^@/]*@)?([^:/]+)/.exec(address)?.[1] ?? "";
  return { host: hostname, hostname };
}

const NEVER = [
  ...["core.hooksPath=/dev/null", "core.fsmonitor=false", "core.attributesFile=/dev/null"],
  ...["credential.helper=", "core.askPass=true", "core.sshCommand=ssh -oBatchMode=yes"],
  ...["protocol.allow=never", "protocol.https.allow=always", "protocol.ssh.allow=always"],
  ...["protocol.file.allow=always", "protocol.http.allow=always", "http.followRedirects=false"],
  ...["gc.auto=0", "maintenance.auto=false", "fetch.fsckObjects=true", "log.showSignature=false"],
].flatMap((each) => ["-c", each]);

/** The output of one git command, which never waits for input. */
async function* run(
  { dir, signal, env }: Repository,
  args: readonly string[],
): AsyncGenerator<Uint8Array> {
  const child = spawn("git", ["--no-pager", ...NEVER, ...args], {
    cwd: dir,
    stdio: ["ignore", "pipe", "pipe"],
    // Without a terminal that it could ask for a password.
    detached: true,
    // An editor's terminal may have set a program that asks.
    env: { ...process.env, ...env, GIT_ASKPASS: "true", GIT_TERMINAL_PROMPT: "0" },
  });
  const ended = endOf(child);
  const stop = () => stopAll(child);
  signal.addEventListener("abort", stop);
  void ended.then(() => signal.removeEventListener("abort", stop));
  if (signal.aborted) stop();
  try {
    yield* child.stdout as AsyncIterable<Uint8Array>;
  } finally {
    child.stdout?.destroy();
  }
  const { code, said } = await ended;
  signal.throwIfAborted();
  if (code !== 0) throw toFailure(code, said);
}

/** Git and the programs that it started, which would go on without it. */
function stopAll(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid);
  } catch {
    // It has ended, or this system knows no groups.
    child.kill();
  }
}

function endOf(
  child: ChildProcess,
): Promise<{ readonly code: number | string; readonly said: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number | string; said: string }>();
  let said = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-2_000);
  });
  child.on("error", (error: NodeJS.ErrnoException) =>
    resolve({ code: error.code ?? "error", said }),
  );
  child.on("close", (code) => resolve({ code: code ?? "killed", said }));
  return promise;
}

async function readAll(repository: Repository, args: readonly string[]): Promise<string> {
  const said = await collect(run(repository, args), MAX_LIST_BYTES);
  if (said === undefined) throw new KnowledgeError("EXTRACTION_LIMIT", toMessage("gitTooLong"));
  return said.toString("utf8");
}

/** Git's own words are never shown, because they may contain a path or password. */
function toFailure(code: number | string, said: string): KnowledgeError {
  const isMissing = code === "ENOENT";
  const [, known = "gitFailed"] = REASONS.find(([pattern]) => pattern.test(said)) ?? [];
  return new KnowledgeError("FILE_UNAVAILABLE", toMessage(isMissing ? "gitMissing" : known));
}

const REASONS: readonly (readonly [RegExp, MessageCode])[] = [
  [/no space left on device|disk quota exceeded/i, "gitTooLarge"],
  [/couldn't find remote ref|unadvertised object|not our ref/i, "gitNoRef"],
  [/could not read Username|Authentication failed|Permission denied|error: 40[13]/i, "gitDenied"],
  [/transport '\w+' not allowed|protocol .* not allowed/i, "gitProtocol"],
  [/not found|does not exist|not appear to be a git repository|error: 404/i, "gitNotThere"],
  [/resolve host|Connection refused|timed out|unable to access/i, "gitAway"],
];

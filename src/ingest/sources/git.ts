// A git repository, read by the installed `git` from its own bare copy: nothing is checked out, so no filter, hook,
// submodule or attribute of the repository ever runs. What changed is what has another blob.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { KnowledgeError } from "../../domain/errors.ts";
import { type MessageCode, toMessage } from "../../domain/phrases/messages.ts";
import type { SourceSettings } from "../../domain/source.ts";
import { collect } from "../../files/collect.ts";
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
const MAX_LIST_BYTES = 64 * 1024 * 1024;

interface Repository {
  readonly dir: string;
  readonly signal: AbortSignal;
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
  await readAll({ ...repository, dir: parts.sourcesDir }, ["init", "-q", "--bare", repository.dir]);
  const pinned = await pinAddress(address, settings, parts);
  const fetch = ["fetch", "-q", "--no-tags", "--no-recurse-submodules", `--depth=${DEPTH}`];
  const timed = AbortSignal.any([repository.signal, AbortSignal.timeout(FETCH_MS)]);
  await readAll({ ...repository, signal: timed }, [...pinned, ...fetch, "--", address, ref]);
  return (await readAll(repository, ["rev-parse", "--verify", "FETCH_HEAD^{commit}"])).trim();
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
  { dir, signal }: Repository,
  args: readonly string[],
): AsyncGenerator<Uint8Array> {
  const child = spawn("git", ["--no-pager", ...NEVER, ...args], {
    cwd: dir,
    stdio: ["ignore", "pipe", "pipe"],
    // Without a terminal that it could ask for a password.
    detached: true,
    signal,
  });
  const ended = endOf(child);
  try {
    yield* child.stdout as AsyncIterable<Uint8Array>;
  } finally {
    child.stdout?.destroy();
  }
  const { code, said } = await ended;
  signal.throwIfAborted();
  if (code !== 0) throw toFailure(code, said);
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
  [/couldn't find remote ref|unadvertised object|not our ref/i, "gitNoRef"],
  [/could not read Username|Authentication failed|Permission denied|403|401/i, "gitDenied"],
  [/transport '\w+' not allowed|protocol .* not allowed/i, "gitProtocol"],
  [/not found|does not exist|not appear to be a git repository|404/i, "gitNotThere"],
  [/resolve host|Connection refused|timed out|unable to access/i, "gitAway"],
];

// What is known of a source's items since the last sync: which are new, changed or gone. It is in the store, written as
// items end. After a crash the next run continues from it; an item that was added but not recorded is found by its content
// and not added twice.
import { backgroundEvent } from "../../domain/call/audit-event.ts";
import { GENERAL_SCOPE } from "../../domain/call/grants.ts";
import { defined } from "../../domain/defined.ts";
import type { Metadata, StoredDocument } from "../../domain/document.ts";
import {
  isOutage,
  KnowledgeError,
  mayPass,
  messageOf,
  toKnowledgeError,
} from "../../domain/errors.ts";
import { isPlainPicture } from "../../domain/format-name.ts";
import { type Message, toMessage } from "../../domain/phrases/messages.ts";
import type { SourceItem, SourceKindName, SourceRun } from "../../domain/source.ts";
import { type FolderReport, toTaskFailure } from "../../domain/task.ts";
import type { KnownItem } from "../../store/store.ts";
import type { Accepted } from "../intake/intake.ts";
import type { Lease } from "../queue/run-task.ts";
import { refuseForCallers } from "./guess.ts";
import type { Closers, Found, FoundItem, Listing, SourceKind } from "./kind.ts";
import { nextRunOf } from "./schedule.ts";
import type { SyncParts } from "./sync.ts";

/** Loaded only when one is synced. */
const KINDS: Readonly<Record<SourceKindName, () => Promise<SourceKind>>> = {
  folder: async () => (await import("./folder/folder.ts")).folder,
  site: async () => (await import("./site/site.ts")).site,
  git: async () => (await import("./git.ts")).git,
  s3: async () => (await import("./s3.ts")).s3,
  export: async () => (await import("./export/export.ts")).exported,
};

/** It is written once for so many items: what a crash loses of it is only looked at again. */
const BATCH = 20;
/** An index entry of PostgreSQL has at most 2,704 bytes. */
const MAX_ITEM_BYTES = 2_000;

/** `present`: its content was already in the knowledge base. */
export interface ItemChange {
  readonly source: string;
  readonly item: string;
  readonly change: "added" | "changed" | "removed" | "failed" | "present";
  readonly reason?: string;
}

interface ItemEnd {
  readonly file?: Accepted["file"];
  readonly isPresent?: boolean;
  readonly error?: KnowledgeError;
}

export interface Ledger {
  /** For every document. */
  readonly metadata: Metadata;
  list(): AsyncIterable<Found>;
  /** Undefined if the item has not changed. */
  take(found: FoundItem, signal: AbortSignal): Promise<Accepted | undefined>;
  /** Records that the item's document is stored, or why it is not. */
  ended(found: FoundItem, end: ItemEnd): Promise<void>;
  /** When all have ended: removes what is gone. */
  finish(report: FolderReport): Promise<void>;
}

interface Run extends Listing {
  readonly kind: SourceKind;
  readonly scope: string;
  readonly lease: Lease;
  readonly parts: SyncParts;
  readonly startedAt: string;
  /** Where its documents were after the last sync. */
  readonly paths: ReadonlySet<string>;
  /** Entries that differ from the stored ones. */
  readonly changed: Map<string, SourceItem>;
  /** The same of items whose earlier document is still there: they are stored once it is removed. */
  readonly replaced: Map<string, SourceItem>;
  readonly seen: Set<string>;
  readonly gone: Set<string>;
  /** Nothing below these is gone. */
  readonly unread: string[];
  /** Why what is not listed is kept. */
  problem?: Message;
}

export async function openLedger(lease: Lease, parts: SyncParts, open: Closers): Promise<Ledger> {
  const { task, signal } = lease;
  const { source: id = "" } = task.request;
  const { sources } = parts.store;
  const source = await sources.begin(id, task.id);
  if (!source) throw new KnowledgeError("INTERRUPTED", toMessage("sourceBusy"));
  const { metadata = {}, scope = GENERAL_SCOPE } = source.settings;
  await refuseForCallers(source, parts);
  const items = await sources.items(id);
  const run: Run = {
    ...{ source, scope, signal, lease, parts, open },
    known: new Map(items.map((each) => [each.item, each])),
    paths: new Set(items.flatMap(({ path = [] }) => path)),
    kind: await KINDS[source.kind](),
    startedAt: new Date().toISOString(),
    ...{ changed: new Map(), replaced: new Map(), seen: new Set(), gone: new Set(), unread: [] },
  };
  return {
    metadata,
    list: () => list(run),
    take: (found, stop) => takeChanged(found, run, stop),
    ended: (found, end) => noteEnd(found, run, end),
    finish: (report) => finish(run, report),
  };
}

async function* list(run: Run): AsyncGenerator<Found> {
  const { source, known, signal, open, kind, parts } = run;
  try {
    const listing = { source, known, signal, open };
    for await (const found of kind.list(listing, parts)) if (isNews(found, run)) yield found;
  } catch (thrown) {
    signal.throwIfAborted();
    const error = toKnowledgeError(thrown);
    if (!isOutage(error.code)) await endRun(run, NOTHING_FOUND, messageOf(error));
    if (error.code === "INTERNAL")
      parts.log.error("ingest.source-failed", { source: source.id, error });
    throw error;
  }
}

/** Remembers what was found; false if there is nothing to do for it. */
function isNews(found: Found, run: Run): boolean {
  if (found.kind === "total") return true;
  if (found.kind === "cut") run.problem = found.problem;
  else if (found.kind === "gone") run.gone.add(found.item);
  else if (!run.seen.has(found.item)) {
    run.seen.add(found.item);
    if (found.kind === "unread") run.unread.push(`${found.item}/`);
    return true;
  }
  return false;
}

const NOTHING_FOUND = { found: 0, added: 0, unchanged: 0, failed: 0, skipped: 0, failures: [] };

async function takeChanged(
  found: FoundItem,
  run: Run,
  signal: AbortSignal,
): Promise<Accepted | undefined> {
  const { item, version } = found;
  const before = run.known.get(item);
  const isStored = before !== undefined && !before.isMissing;
  if (isStored && version !== undefined && version === before.version) return undefined;
  if (Buffer.byteLength(item) > MAX_ITEM_BYTES)
    throw new KnowledgeError("INVALID_PARAMETER", toMessage("nameTooLong"));
  const taken = await found.take(signal);
  const { contentHash, sourcePath } = taken.file;
  const isSame = isStored && before.failure === undefined && contentHash === before.contentHash;
  const isTheirs = !isSame && (await isElsewhere(taken.file, run));
  if (!isTheirs && !(isSame && sourcePath === before.path)) return taken;
  await taken.release();
  if (isTheirs) notify(run, { item, change: "present" });
  if (isTheirs || version !== before?.version)
    await note(run, { item, ...defined({ version, path: sourcePath, contentHash }) });
  return undefined;
}

/** Somebody added the same content from elsewhere: that document is theirs, and stays as it is. */
async function isElsewhere({ contentHash, sourcePath }: Accepted["file"], run: Run) {
  const present = await run.parts.store.documents.findByHash(contentHash, run.scope);
  return present !== undefined && present.sourcePath !== sourcePath && !isOurs(present, run);
}

function isOurs({ sourcePath }: StoredDocument, { kind, source, paths }: Run): boolean {
  if (sourcePath === undefined) return false;
  return kind.owns?.(source, sourcePath) ?? paths.has(sourcePath);
}

async function noteEnd(
  { item, version }: FoundItem,
  run: Run,
  { file, isPresent, error }: ItemEnd,
): Promise<void> {
  const before = run.known.get(item);
  // Deleted since it was listed.
  if (error?.code === "FILE_NOT_FOUND") return void run.seen.delete(item);
  const isTried = error === undefined || !mayPass(error.code);
  const { sourcePath = before?.path, contentHash = before?.contentHash } = file ?? {};
  const isPlain = error !== undefined && isPlainPicture(item, error.code);
  const entry: SourceItem = {
    item,
    ...defined({ version: isTried ? version : undefined, path: sourcePath, contentHash }),
    ...(error && { failure: isPlain ? ("none" as const) : toTaskFailure(error) }),
  };
  if (error && !isPlain) notify(run, { item, change: "failed", reason: error.message });
  const change = before?.contentHash === undefined ? "added" : "changed";
  if (!error) notify(run, { item, change: isPresent ? "present" : change });
  if (await isReplaced(before, contentHash, run)) run.replaced.set(item, entry);
  else if (Buffer.byteLength(item) <= MAX_ITEM_BYTES) await note(run, entry);
}

/** The item has other content now, and the document with what it had before is still there. */
async function isReplaced(before: KnownItem | undefined, contentHash = "", run: Run) {
  const { contentHash: old = contentHash } = before ?? {};
  if (old === contentHash) return false;
  const document = await run.parts.store.documents.findByHash(old, run.scope);
  return document !== undefined && isOurs(document, run);
}

function notify({ parts, source }: Run, change: Omit<ItemChange, "source">): void {
  parts.onItem({ source: source.id, ...change });
}

async function note(run: Run, entry: SourceItem): Promise<void> {
  run.changed.set(entry.item, entry);
  if (run.changed.size >= BATCH) await writeLedger(run);
}

async function writeLedger(run: Run, removed: readonly string[] = []): Promise<void> {
  const { changed, parts, source, lease } = run;
  const put = [...changed.values()];
  changed.clear();
  if (put.length + removed.length === 0) return;
  const holder = { taskId: lease.task.id, worker: lease.worker };
  logStep(run, "recording");
  const outcome = await parts.store.sources.record(source.id, { put, removed }, holder);
  if (outcome === "lease-lost") throw new KnowledgeError("INTERRUPTED", toMessage("sourceBusy"));
  logStep(run, "recorded");
}

function logStep({ parts, source }: Run, step: string): void {
  parts.log.debug("ingest.step", { source: source.id, step });
}

async function finish(run: Run, report: FolderReport): Promise<void> {
  const gone = findGone(run);
  await writeLedger(run);
  await settle(run, new Set(gone));
  for (const [item, entry] of run.replaced) run.changed.set(item, entry);
  await writeLedger(run, gone);
  for (const item of gone) notify(run, { item, change: "removed" });
  await endRun(run, report, run.problem, gone.length);
}

/** A list that is empty, or not complete, removes nothing. */
function findGone(run: Run): readonly string[] {
  const { kind, known, seen, gone, unread } = run;
  if (seen.size === 0 && known.size > 0) {
    run.problem ??= toMessage("sourceEmpty", known.size);
    return [];
  }
  const isUnread = (item: string) => unread.some((folder) => `${item}/`.startsWith(folder));
  const isGone = (item: string) =>
    gone.has(item) ||
    (kind.listsAll && run.problem === undefined && !seen.has(item) && !isUnread(item));
  return [...known.keys()].filter(isGone);
}

/** What items had before and have no longer: other items may have it, else it goes to the trash. */
async function settle(run: Run, gone: ReadonlySet<string>): Promise<void> {
  const { known, replaced, parts, source, signal } = run;
  const left = [...known.values()].filter(({ item }) => gone.has(item) || replaced.has(item));
  if (left.length === 0) return;
  const items = (await parts.store.sources.items(source.id)).flatMap((each) =>
    gone.has(each.item) ? [] : [replaced.get(each.item) ?? each],
  );
  const held = items.filter(({ failure }) => failure === undefined);
  const holders = Map.groupBy(held, ({ contentHash = "" }) => contentHash);
  for (const { contentHash } of left) {
    signal.throwIfAborted();
    if (contentHash === undefined) continue;
    const paths = (holders.get(contentHash) ?? []).flatMap(({ path = [] }) => path);
    await leave(run, contentHash, paths);
  }
}

async function leave(run: Run, contentHash: string, holders: readonly string[]): Promise<void> {
  const { store, perform } = run.parts;
  const document = await store.documents.findByHash(contentHash, run.scope);
  if (!document || !isOurs(document, run)) return;
  const { id, filename, sourcePath = "" } = document;
  const target = { document_id: id, file: filename };
  const [holder] = holders;
  logStep(run, "leaving");
  if (holder === undefined) {
    const why = run.source.kind === "folder" ? "left-folder" : "left-source";
    const remove = () => store.documents.remove(id, why);
    await perform(backgroundEvent("source-remove", target), remove);
  } else if (!holders.includes(sourcePath)) {
    const adopt = () => store.documents.adopt(id, { sourcePath: holder, metadata: {} });
    await perform(backgroundEvent("source-move", target), adopt);
  }
  logStep(run, "left");
}

async function endRun(
  { source, parts, startedAt, lease }: Run,
  { found, added, unchanged, failed, failures }: FolderReport,
  problem: Message | undefined,
  removed = 0,
): Promise<void> {
  const run: SourceRun = {
    ...{ task: lease.task.id, startedAt, finishedAt: new Date().toISOString() },
    ...{ found, added, unchanged, removed, failed, failures },
    ...defined({ problem }),
  };
  await parts.store.sources.end(source.id, run, nextRunOf(source.settings, new Date()));
  parts.log.info("ingest.source-synced", { source: source.id, found, added, removed, failed });
}

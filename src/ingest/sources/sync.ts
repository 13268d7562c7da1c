// Syncs one source, as the members of a task: what is new or changed is added, what is gone is removed, and the ledger
// in the store says what was seen. After a crash the next run continues from the ledger; an item that was added but not
// recorded is found by its content and not added twice.
import { backgroundEvent, type Perform } from "../../domain/call/audit-event.ts";
import { GENERAL_SCOPE } from "../../domain/call/grants.ts";
import { defined } from "../../domain/defined.ts";
import { isOutage, KnowledgeError, toKnowledgeError } from "../../domain/errors.ts";
import type { SourceItem, SourceKindName, SourceRun } from "../../domain/source.ts";
import type { FolderReport } from "../../domain/task.ts";
import type { BegunSource, KnownItem, SourceHolder } from "../../store/store.ts";
import type { ManyParts, Member, Members } from "../batch/add-many.ts";
import type { Accepted } from "../intake/intake.ts";
import type { Lease } from "../queue/run-task.ts";
import type { Found, FoundItem, SourceKind } from "./kind.ts";
import { nextRunOf } from "./schedule.ts";

const KINDS: Readonly<Record<SourceKindName, () => Promise<SourceKind>>> = {
  site: async () => (await import("./site/site.ts")).site,
  git: async () => (await import("./git.ts")).git,
  s3: async () => (await import("./s3.ts")).s3,
  export: async () => (await import("./export/export.ts")).exported,
};

/** The ledger is written once for so many items: what a crash loses of it is only looked at again. */
const BATCH = 20;
/** An index entry of PostgreSQL has at most 2,704 bytes. */
const MAX_ITEM_BYTES = 2_000;

interface Sync {
  readonly source: BegunSource;
  readonly kind: SourceKind;
  readonly known: ReadonlyMap<string, KnownItem>;
  readonly holder: SourceHolder;
  readonly signal: AbortSignal;
  readonly parts: ManyParts;
  readonly startedAt: string;
  /** Entries that differ from the stored ones. */
  readonly changed: Map<string, SourceItem>;
  readonly seen: Set<string>;
  readonly gone: Set<string>;
  /** Why what is not listed is kept. */
  problem?: string;
}

export async function sourceMembers(lease: Lease, parts: ManyParts): Promise<Members> {
  const { task, worker, signal } = lease;
  const { source: id = "" } = task.request;
  const { sources } = parts.store;
  const source = await sources.begin(id, task.id);
  if (!source) throw new KnowledgeError("INTERRUPTED", GONE_OR_BUSY);
  const known = new Map((await sources.items(id)).map((each) => [each.item, each]));
  const sync: Sync = {
    ...{ source, known, signal, parts },
    kind: await KINDS[source.kind](),
    holder: { taskId: task.id, worker },
    startedAt: new Date().toISOString(),
    ...{ changed: new Map(), seen: new Set(), gone: new Set() },
  };
  return {
    members: listMembers(sync),
    finish: (report) => finish(sync, report),
    close: async () => {},
  };
}

const GONE_OR_BUSY = "The source was removed, or another task is syncing it.";

async function* listMembers(sync: Sync): AsyncGenerator<Member> {
  const { source, kind, parts, seen, gone } = sync;
  try {
    for await (const found of kind.list(sync, parts)) {
      if (found.kind === "cut") sync.problem = found.problem;
      else if (found.kind === "gone") gone.add(found.item);
      else if (!seen.has(found.item)) {
        seen.add(found.item);
        yield toMember(found, sync);
      }
    }
  } catch (thrown) {
    sync.signal.throwIfAborted();
    const error = toKnowledgeError(thrown);
    if (!isOutage(error.code)) await endRun(sync, { ...NOTHING_FOUND }, error.message);
    if (error.code === "INTERNAL")
      parts.log.error("ingest.source-failed", { source: source.id, error });
    throw error;
  }
}

const NOTHING_FOUND = { found: 0, added: 0, unchanged: 0, failed: 0, skipped: 0, failures: [] };

function toMember(found: Extract<Found, { item: string }>, sync: Sync): Member {
  const { item: name } = found;
  const { metadata } = sync.source.settings;
  if (found.kind !== "item") return { name, take: async () => undefined };
  const before = sync.known.get(name);
  return {
    name,
    metadata: { ...metadata, ...found.metadata },
    take: (signal) => takeChanged(found, sync, signal),
    async ended({ file, error }) {
      const isTried = error === undefined || !RETRIED.has(error.code);
      const { sourcePath = before?.path, contentHash = before?.contentHash } = file ?? {};
      await note(sync, {
        item: name,
        ...defined({ version: isTried ? found.version : undefined, path: sourcePath, contentHash }),
        ...(error && { failure: error.message }),
      });
    },
  };
}

/** Failures that may be over the next time, although the item has not changed. */
const RETRIED: ReadonlySet<string> = new Set(["FILE_UNAVAILABLE", "INTERNAL", "CANCELLED"]);

async function takeChanged(
  found: FoundItem,
  sync: Sync,
  signal: AbortSignal,
): Promise<Accepted | undefined> {
  const { item, version } = found;
  const before = sync.known.get(item);
  const isStored = before !== undefined && !before.isMissing;
  if (isStored && version !== undefined && version === before.version) return undefined;
  if (Buffer.byteLength(item) > MAX_ITEM_BYTES)
    throw new KnowledgeError("INVALID_PARAMETER", "Its name is too long.");
  const taken = await found.take(signal);
  const { contentHash, sourcePath } = taken.file;
  const isSame = isStored && before.failure === undefined && contentHash === before.contentHash;
  if (!isSame || sourcePath !== before.path) return taken;
  await taken.release();
  if (version !== before.version)
    await note(sync, { item, ...defined({ version, path: sourcePath, contentHash }) });
  return undefined;
}

async function note(sync: Sync, entry: SourceItem): Promise<void> {
  sync.changed.set(entry.item, entry);
  if (sync.changed.size >= BATCH) await writeLedger(sync);
}

async function writeLedger(sync: Sync, removed: readonly string[] = []): Promise<void> {
  const { changed, parts, source, holder } = sync;
  const put = [...changed.values()];
  changed.clear();
  if (put.length + removed.length === 0) return;
  const outcome = await parts.store.sources.record(source.id, { put, removed }, holder);
  if (outcome === "lease-lost") throw new KnowledgeError("INTERRUPTED", GONE_OR_BUSY);
}

async function finish(sync: Sync, report: FolderReport): Promise<void> {
  const gone = findGone(sync);
  await writeLedger(sync);
  if (gone.length > 0) await removeGone(sync, gone);
  await writeLedger(sync, gone);
  await endRun(sync, report, sync.problem, gone.length);
}

/** A list that is empty, or not complete, removes nothing. */
function findGone(sync: Sync): readonly string[] {
  const { kind, known, seen, gone } = sync;
  if (seen.size === 0 && known.size > 0) {
    sync.problem ??= `The source looks empty; its ${known.size} documents are kept. If that is right, remove the source and its documents.`;
    return [];
  }
  const isGone = (item: string) =>
    gone.has(item) || (kind.listsAll && sync.problem === undefined && !seen.has(item));
  return [...known.keys()].filter((item) => isGone(item) && !(seen.has(item) && !gone.has(item)));
}

/** Removes the documents of items that are gone, to the trash, unless another item has the same content. */
async function removeGone({ source, parts, signal }: Sync, gone: readonly string[]): Promise<void> {
  const { store, perform } = parts;
  const items = await store.sources.items(source.id);
  const left = new Set(gone);
  const holders = new Map(
    items
      .filter((each) => !left.has(each.item) && !each.failure)
      .map((each) => [each.contentHash, each]),
  );
  for (const entry of items) {
    if (!left.has(entry.item) || entry.path === undefined) continue;
    signal.throwIfAborted();
    const { scope = GENERAL_SCOPE } = source.settings;
    await removeItem(entry, holders.get(entry.contentHash)?.path, { store, perform, scope });
  }
}

interface Removing extends Pick<ManyParts, "store"> {
  readonly perform: Perform;
  readonly scope: string;
}

async function removeItem(
  { path = "", contentHash }: KnownItem,
  holder: string | undefined,
  { store: { documents }, perform, scope }: Removing,
): Promise<void> {
  const document = await documents.findByPath(path, scope);
  // Somebody replaced it by other content, which is theirs.
  if (!document || document.contentHash !== contentHash) return;
  const target = { document_id: document.id, file: document.filename };
  if (holder === undefined) {
    const remove = () => documents.remove(document.id, "left-source");
    await perform(backgroundEvent("source-remove", target), remove);
  } else {
    const adopt = () => documents.adopt(document.id, { sourcePath: holder, metadata: {} });
    await perform(backgroundEvent("source-move", target), adopt);
  }
}

async function endRun(
  { source, parts, startedAt, holder }: Sync,
  { found, added, unchanged, failed, failures }: FolderReport,
  problem: string | undefined,
  removed = 0,
): Promise<void> {
  const run: SourceRun = {
    ...{ task: holder.taskId, startedAt, finishedAt: new Date().toISOString() },
    ...{ found, added, unchanged, removed, failed, failures },
    ...defined({ problem }),
  };
  await parts.store.sources.end(source.id, run, nextRunOf(source.settings, new Date()));
  parts.log.info("ingest.source-synced", { source: source.id, found, added, removed, failed });
}

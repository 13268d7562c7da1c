// Copies one store into another, with any drivers. Existing data is left alone, so an interrupted
// copy continues where it stopped.
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StoredDocument } from "../../domain/document.ts";
import { KnowledgeError } from "../../domain/errors.ts";
import { UNREADABLE_METADATA } from "../../domain/metadata.ts";
import type { ScopeContent } from "../../domain/scope.ts";
import { toFilename } from "../../text/clean/filename.ts";
import type { ScopeChange, Store } from "../store.ts";

export interface CopyProgress {
  readonly step: "scopes" | "documents";
  readonly done: number;
  readonly total: number;
}

export interface CopyReport {
  readonly scopes: number;
  readonly documents: number;
  readonly chunks: number;
  /** How many of the documents the target already had. */
  readonly alreadyThere: number;
  /** Files whose original the source no longer has. */
  readonly withoutOriginal: number;
  /** Documents whose metadata the source cannot read. */
  readonly withoutMetadata: number;
  /** Unfinished adds, which are not copied. */
  readonly openTasks: number;
}

export interface CopyOptions {
  readonly from: Store;
  readonly to: Store;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: CopyProgress) => void;
}

const PAGE = 100;

export async function copyStore(options: CopyOptions): Promise<CopyReport> {
  const { from, to, signal, onProgress } = options;
  const scopes = await from.scopes.all();
  onProgress({ step: "scopes", done: 0, total: scopes.length });
  await to.scopes.apply(scopes.flatMap(toChanges));
  await copySources(options);
  const counts = {
    documents: 0,
    chunks: 0,
    alreadyThere: 0,
    withoutOriginal: 0,
    withoutMetadata: 0,
  };
  for await (const { document, total } of allDocuments(from)) {
    onProgress({ step: "documents", done: counts.documents, total });
    signal.throwIfAborted();
    const state = await copyDocument(options, document);
    if (state === "gone") continue;
    if (state === "present") counts.alreadyThere++;
    if (state === "without-original") counts.withoutOriginal++;
    if (document.warnings.some(({ code }) => code === UNREADABLE_METADATA.code))
      counts.withoutMetadata++;
    counts.documents++;
    counts.chunks += document.chunkCount;
  }
  const { queued, running } = await from.tasks.counts();
  return { scopes: scopes.length, ...counts, openTasks: queued + running };
}

/** With what they have seen, so that nothing is fetched or removed because of the copy. */
async function copySources({ from, to }: CopyOptions): Promise<void> {
  for (const { id, nextRun, isPaused, ...source } of await from.sources.list()) {
    await to.sources.put(id, source, nextRun);
    if (isPaused) await to.sources.change(id, { isPaused });
    await to.sources.restore(id, await from.sources.items(id));
  }
}

async function* allDocuments({ documents }: Store) {
  for (let offset = 0; ; offset += PAGE) {
    const order = { sortBy: "date_added", sortOrder: "asc" } as const;
    const page = await documents.list({ ...order, limit: PAGE, offset });
    for (const document of page.documents) yield { document, total: page.total };
    if (page.documents.length < PAGE) return;
  }
}

async function copyDocument(
  { from, to }: CopyOptions,
  { id, contentHash, chunkCount }: StoredDocument,
): Promise<"copied" | "present" | "gone" | "without-original"> {
  const there = await to.documents.get(id);
  const originalThere = await to.originals.has(contentHash);
  const hasOriginal = originalThere || (await from.originals.has(contentHash));
  const same = there?.contentHash === contentHash && there.chunkCount === chunkCount;
  if (same && originalThere === hasOriginal) return "present";
  const whole = await from.documents.whole(id);
  if (!whole) return "gone";
  if (hasOriginal && !originalThere) await copyOriginal(from, to, contentHash);
  const filename = toFilename(whole.document.filename);
  await to.documents.put({ ...whole.document, filename }, whole.chunks);
  const stored = await to.documents.get(id);
  if (stored?.chunkCount !== whole.chunks.length) {
    throw new KnowledgeError(
      "STORE_CORRUPT",
      "A document was copied incompletely. Run the copy again.",
    );
  }
  return hasOriginal ? "copied" : "without-original";
}

async function copyOriginal(from: Store, to: Store, contentHash: string): Promise<void> {
  const original = await from.originals.open(contentHash);
  const folder = await mkdtemp(join(tmpdir(), "knowledge-copy-"));
  try {
    // Copied first, because a store may move the file it is given.
    const own = join(folder, contentHash);
    await copyFile(original.path, own);
    await to.originals.keep(contentHash, own);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await original.release();
  }
}

/** Parents come first, in the order that `all()` returns. */
export function toChanges({ categories, entries, ...scope }: ScopeContent): ScopeChange[] {
  return [
    { kind: "put-scope", scope },
    ...categories.map((category) => ({
      kind: "put-category" as const,
      scope: scope.id,
      ...category,
    })),
    ...entries.map((entry) => ({ kind: "put-entry" as const, scope: scope.id, ...entry })),
  ];
}

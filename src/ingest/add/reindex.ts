// Documents that were stored without vectors, or with another model, chunker or analyser, are reindexed
// in the background. Until then they are searched unchanged.
import { nameText, searchText } from "../../chunk/chunk.ts";
import { backgroundEvent } from "../../domain/call/audit-event.ts";
import type { IndexedChunk, NewDocument } from "../../store/store.ts";
import type { IngestOptions } from "../ingest.ts";
import { openRounds } from "../queue/background.ts";
import type { Indexer, KnownVectors } from "./indexer.ts";

export interface ReindexerOptions
  extends Pick<IngestOptions, "store" | "perform" | "isCurrent" | "log"> {
  readonly indexer: Indexer;
  /** While it returns true, reindexing waits, because adds take precedence. */
  readonly isBusy: () => boolean;
  readonly everyMs: number;
}

// Several processes may reindex at once. Each picks randomly among this many, so they rarely pick the same document.
const CHOICE = 50;

const always = async () => true;

interface ReindexerCore extends ReindexerOptions {
  readonly signal: AbortSignal;
}

export function openReindexer(options: ReindexerOptions) {
  const { store, indexer, log, everyMs } = options;
  const onFailure = (error: unknown) => log.warn("ingest.reindex-failed", { error });
  const rounds = openRounds((signal) => reindexAll({ ...options, signal }), { everyMs, onFailure });
  return {
    start: rounds.start,
    close: rounds.close,
    /** The number of documents left to reindex. */
    waiting: async () => (await store.documents.stale(indexer.under.fingerprint, 1)).total,
  };
}

/** Writes one audit line per run, because the documents' content does not change. */
async function reindexAll(core: ReindexerCore): Promise<void> {
  const { store, indexer, isBusy, isCurrent = always, perform } = core;
  const { total } = await store.documents.stale(indexer.under.fingerprint, 1);
  if (total === 0 || isBusy() || !(await isCurrent())) return;
  const event = backgroundEvent("reindex", { documents: String(total) });
  await perform(event, () => reindexStale(core));
}

async function reindexStale(core: ReindexerCore): Promise<void> {
  const { store, indexer, log, isBusy, isCurrent = always, signal } = core;
  // Do not retry a document forever if reindexing leaves it stale.
  const tried = new Set<string>();
  for (;;) {
    if (signal.aborted || isBusy() || !(await isCurrent())) return;
    const { ids, total } = await store.documents.stale(indexer.under.fingerprint, CHOICE);
    const untried = ids.filter((each) => !tried.has(each));
    const id = untried[Math.floor(Math.random() * untried.length)];
    if (id === undefined) return;
    tried.add(id);
    log.info("ingest.reindexing", { documents: total });
    // Without an encoder, continuing is pointless.
    if (!(await indexAgain(core, { id, signal }))) return;
    log.debug("ingest.reindexed", { document: id });
  }
}

interface Again {
  readonly id: string;
  readonly signal: AbortSignal;
  /** The document's new name, if it is not stored yet. */
  readonly names?: Partial<Pick<NewDocument, "sourcePath" | "metadata">>;
}

/** Indexes the stored text again. False if no encoder is available; the document is then left unchanged. */
export async function indexAgain(
  { store, indexer }: Pick<ReindexerOptions, "store" | "indexer">,
  { id, signal, names = {} }: Again,
): Promise<boolean> {
  const whole = await store.documents.whole(id);
  if (whole === undefined) return true;
  const { extracted } = whole.document;
  const name = nameText({ ...whole.document, ...names });
  const known = knownVectors(whole, indexer.under.fingerprint);
  const chunks = await indexer.index(extracted, { signal, report: () => {}, name, known });
  // Storing would change nothing, and the next attempt would be just as useless.
  if (chunks.length > 0 && chunks.every(({ vector }) => vector === undefined)) return false;
  await store.documents.reindex(id, indexer.under, chunks);
  return true;
}

interface Whole {
  readonly document: NewDocument;
  readonly chunks: readonly IndexedChunk[];
}

/** Vectors of the same model and text are reused. Without a light encoder there are only the model's. */
function knownVectors({ document, chunks }: Whole, fingerprint: string): KnownVectors {
  const spaceOf = (each: string) => each.slice(0, each.indexOf("+"));
  const known = new Map<string, Float32Array>();
  if (spaceOf(document.fingerprint) !== spaceOf(fingerprint)) return known;
  for (const chunk of chunks) {
    const isModels = chunk.encoding === "model" || chunk.encoding === undefined;
    if (isModels && chunk.vector) known.set(searchText(chunk, document.extracted), chunk.vector);
  }
  return known;
}

// Documents that were stored without vectors, or under another model, chunker or analyser, are indexed again
// in the background. Until then search finds them as they are.
import { backgroundAct, type Perform } from "../../domain/call/act.ts";
import type { Log } from "../../observe/log.ts";
import type { Store } from "../../store/store.ts";
import type { Indexer } from "./indexer.ts";

export interface ReindexerOptions {
  readonly store: Store;
  readonly indexer: Indexer;
  readonly log: Log;
  /** Adding goes first. */
  readonly isBusy: () => boolean;
  readonly everyMs: number;
  readonly perform: Perform;
}

export interface Reindexer {
  start(): void;
  /** Documents still to be indexed again. */
  waiting(): Promise<number>;
  close(): Promise<void>;
}

// Several processes reindex at once: each picks by chance among this many, so that they seldom pick the same.
const CHOICE = 50;

export function openReindexer(options: ReindexerOptions): Reindexer {
  const { store, indexer, log, isBusy, everyMs } = options;
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;

  const mendOne = async (id: string) => {
    const extracted = await store.documents.extracted(id);
    if (extracted === undefined) return true;
    const chunks = await indexer.index(extracted, { signal: abort.signal, report: () => {} });
    // Without the model there would be nothing new, and the next try as useless.
    if (chunks.some(({ vector }) => vector === undefined)) return false;
    await store.documents.reindex(id, indexer, chunks);
    log.debug("ingest.reindexed", { document: id });
    return true;
  };

  /** One line for a whole run: what documents say does not change. */
  const reindexAll = async () => {
    const { total } = await store.documents.stale(indexer.fingerprint, 1);
    if (total === 0 || isBusy()) return;
    const to = { documents: String(total) };
    await options.perform(backgroundAct("reindex", to), mendAll);
  };

  const mendAll = async () => {
    // A document that stays stale whatever is done must not be tried for ever.
    const tried = new Set<string>();
    for (;;) {
      if (abort.signal.aborted || isBusy()) return;
      const { ids, total } = await store.documents.stale(indexer.fingerprint, CHOICE);
      const untried = ids.filter((each) => !tried.has(each));
      const id = untried[Math.floor(Math.random() * untried.length)];
      if (id === undefined) return;
      tried.add(id);
      log.info("ingest.reindexing", { documents: total });
      if (!(await mendOne(id))) return;
    }
  };

  const tick = () => {
    running ??= reindexAll()
      .catch((error: unknown) => {
        if (!abort.signal.aborted) log.warn("ingest.reindex-failed", { error });
      })
      .finally(() => {
        running = undefined;
      });
  };

  return {
    start() {
      timer ??= setInterval(tick, everyMs).unref();
      tick();
    },
    waiting: async () => (await store.documents.stale(indexer.fingerprint, 1)).total,
    async close() {
      clearInterval(timer);
      abort.abort("closing");
      await running;
    },
  };
}

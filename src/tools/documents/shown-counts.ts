// How often documents are shown, by searches and as citations. Counted in memory and added to the store now and then,
// because no search should wait for a write: a crash loses the counts of the last minute.
import type { Log } from "../../observe/log.ts";
import type { DocumentStore } from "../../store/store.ts";

const EVERY_MS = 60_000;
/** Beyond this, documents that were not shown yet are not counted until the next time. */
const MAX_DOCUMENTS = 10_000;

export interface ShownCounts {
  /** Each document of one response. */
  note(ids: Iterable<string>): void;
  /**
   * Until then nothing is counted: a command that runs once and ends changes nothing. Call the result to stop, before
   * the store is closed.
   */
  start(): () => Promise<void>;
}

export function openShownCounts(
  open: () => Promise<{ readonly documents: Pick<DocumentStore, "countShown"> }>,
  log: Log,
): ShownCounts {
  const counts = new Map<string, number>();
  const state = { isCounting: false };
  const flush = async () => {
    if (counts.size === 0) return;
    const taken = new Map(counts);
    counts.clear();
    const { documents } = await open();
    await documents.countShown(taken);
  };
  const tryFlush = () =>
    flush().catch((error: unknown) => log.warn("documents.shown-not-counted", { error }));
  return {
    note(ids) {
      if (!state.isCounting) return;
      for (const id of new Set(ids)) {
        const before = counts.get(id);
        if (before !== undefined || counts.size < MAX_DOCUMENTS) counts.set(id, (before ?? 0) + 1);
      }
    },
    start() {
      const timer = setInterval(tryFlush, EVERY_MS).unref();
      state.isCounting = true;
      return async () => {
        clearInterval(timer);
        state.isCounting = false;
        await tryFlush();
      };
    },
  };
}

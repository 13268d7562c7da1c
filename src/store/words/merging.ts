// Merges segments of words after changes, where a change does not do it itself.
import type { Log } from "../../observe/log.ts";
import type { Engine } from "../sql.ts";
import { findMergeable, mergeOnce } from "./segments.ts";

/** One merge at a time in this process, and in one process at a time. */
export function openMerging({ read, write }: Engine, log: Log) {
  let running: Promise<void> | undefined;
  let again = false;
  const merge = () =>
    write(async (db) => {
      const lock = await db.one<{ taken: boolean }>(db.dialect.locks.tryMerging(db.kb));
      return lock?.taken === true && (await mergeOnce(db));
    });
  const run = async () => {
    do {
      again = false;
      // Most changes leave nothing to merge, so check without a lock or transaction first.
      while ((await read(findMergeable)) && (await merge())) log.debug("store.segments-merged");
    } while (again);
  };
  return {
    /** Runs after a change, which does not wait for it. */
    nudge(): void {
      again = true;
      running ??= run()
        .catch((cause: unknown) => log.warn("store.merge-failed", { cause }))
        .finally(() => {
          running = undefined;
        });
    },
    idle: async () => running,
  };
}

// A store's thread that notes what it has open, over and over, or checks it once.
import { parentPort, workerData } from "node:worker_threads";
import { openKnownId } from "../../../src/store/sqlite/folder/known-id.ts";
import { openKnownLog } from "../../../src/store/sqlite/folder/known-log.ts";

export interface KnownThread {
  readonly work: "note" | "check";
  /** An id is noted once in each. */
  readonly ids: readonly SharedArrayBuffer[];
  readonly log: SharedArrayBuffer;
}

export const KNOWN_ID = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";
export const KNOWN_PAIR = { database: "64769:131", log: "64769:132" };

if (parentPort) {
  const { work, ids, log } = workerData as KnownThread;
  const knownLog = openKnownLog(log);
  const matching = () => ids.filter((id) => openKnownId(id).matches(KNOWN_ID)).length;
  if (work === "check") {
    parentPort.postMessage({ matching: matching(), conflicts: knownLog.conflicts(KNOWN_PAIR) });
  } else {
    parentPort.postMessage("noting");
    matching();
    for (;;) knownLog.remember(KNOWN_PAIR);
  }
}

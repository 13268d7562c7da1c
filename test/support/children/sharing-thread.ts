// A store's thread that notes what it has open, over and over, or checks it once.
import { parentPort, workerData } from "node:worker_threads";
import { openSharedByThreads } from "../../../src/store/sqlite/folder/shared-by-threads.ts";

export interface SharingThread {
  readonly work: "note" | "check" | "claim";
  /** An id is noted once in each. */
  readonly ids: readonly SharedArrayBuffer[];
  readonly log: SharedArrayBuffer;
  /** For `claim`: a log is claimed in each, by all threads at once. */
  readonly race?: Race;
}

export interface Race {
  readonly logs: readonly SharedArrayBuffer[];
  readonly name: string;
  /** For each of the logs, how many threads are about to claim theirs. */
  readonly ready: SharedArrayBuffer;
}

export const RACING = 2;

export const BASE_ID = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";
export const LOG_FILES = { database: "64769:131", log: "64769:132", index: "64769:133" };

if (parentPort) {
  const { work, ids, log, race } = workerData as SharingThread;
  const sharedLog = openSharedByThreads(log);
  const matching = () => ids.filter((id) => openSharedByThreads(id).matchesId(BASE_ID)).length;
  if (work === "check") {
    parentPort.postMessage({ matching: matching(), conflicts: sharedLog.conflicts(LOG_FILES) });
  } else if (race) {
    const ready = new Int32Array(race.ready);
    const files = { ...LOG_FILES, log: race.name };
    const claims = race.logs.map((each, at) => {
      const { claimLog } = openSharedByThreads(each);
      Atomics.add(ready, at, 1);
      while (Atomics.load(ready, at) < RACING);
      return claimLog(files);
    });
    parentPort.postMessage(claims);
  } else {
    parentPort.postMessage("noting");
    matching();
    for (;;) sharedLog.claimLog(LOG_FILES);
  }
}

// A store's thread that notes what it has open, over and over, or checks it once.
import { parentPort, workerData } from "node:worker_threads";
import { openKnown } from "../../../src/store/sqlite/folder/known.ts";

export interface KnownThread {
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

export const KNOWN_ID = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";
export const KNOWN_PAIR = { database: "64769:131", log: "64769:132", index: "64769:133" };

if (parentPort) {
  const { work, ids, log, race } = workerData as KnownThread;
  const knownLog = openKnown(log);
  const matching = () => ids.filter((id) => openKnown(id).matchesId(KNOWN_ID)).length;
  if (work === "check") {
    parentPort.postMessage({ matching: matching(), conflicts: knownLog.conflicts(KNOWN_PAIR) });
  } else if (race) {
    const ready = new Int32Array(race.ready);
    const pair = { ...KNOWN_PAIR, log: race.name };
    const claims = race.logs.map((each, at) => {
      const { claimLog } = openKnown(each);
      Atomics.add(ready, at, 1);
      while (Atomics.load(ready, at) < RACING);
      return claimLog(pair);
    });
    parentPort.postMessage(claims);
  } else {
    parentPort.postMessage("noting");
    matching();
    for (;;) knownLog.claimLog(KNOWN_PAIR);
  }
}

// A process that takes a watched folder's lock again and again, and checks that it is alone:
// node take-watch-lock.ts LOCK ROUNDS, or with ROUNDS = hold: has it until it is killed
import { mkdirSync, rmdirSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { isFileLocked, tryFileLock } from "../../../src/store/sqlite/folder/file-lock.ts";

const [path = "", rounds = ""] = process.argv.slice(2);

if (rounds === "hold") {
  tryFileLock(path);
  // Nothing refers to the lock any more; it is held all the same.
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  process.stdout.write("held\n");
  setInterval(() => {}, 60_000);
} else {
  for (let left = Number(rounds); left > 0; ) {
    const lock = tryFileLock(path);
    if (lock) {
      // Fails if another process is between these lines.
      mkdirSync(`${path}.owner`);
      isFileLocked(path);
      await setImmediate();
      rmdirSync(`${path}.owner`);
      lock.release();
      left -= 1;
    }
    await setImmediate();
  }
}

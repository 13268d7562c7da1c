// The log that a store's threads have open. SQLite keeps one index per database and process, so a thread that connects
// after the log was deleted would read the new log with the index of the old one.
import { digest } from "./digest.ts";
import type { LogPair } from "./open-file.ts";

const UNKNOWN = 0n;
// Logs get more bits: two logs with the same digest would go unnoticed, but two databases would only be reopened.
const DATABASE_BITS = 16;
const LOG_BITS = 48;

export interface KnownLog {
  readonly buffer: SharedArrayBuffer;
  /** True if another thread has the same database open with another log. */
  conflicts(pair: LogPair): boolean;
  /** False if it conflicts: of threads that open different logs at once, one succeeds. */
  claim(pair: LogPair): boolean;
  /** Call it once all connections are closed. */
  forget(): void;
}

/**
 * Stored in one word instead of behind a lock: a thread can be terminated at any instruction and would hold the lock
 * forever.
 */
export function openKnownLog(
  buffer = new SharedArrayBuffer((DATABASE_BITS + LOG_BITS) / 8),
): KnownLog {
  const word = new BigUint64Array(buffer);
  return {
    buffer,
    conflicts: (pair) => isConflict(Atomics.load(word, 0), toWord(pair)),
    claim(pair) {
      const own = toWord(pair);
      for (let known = Atomics.load(word, 0); !isConflict(known, own); ) {
        const found = Atomics.compareExchange(word, 0, known, own);
        if (found === known) return true;
        known = found;
      }
      return false;
    },
    forget() {
      Atomics.store(word, 0, UNKNOWN);
    },
  };
}

function isConflict(known: bigint, own: bigint): boolean {
  return known !== UNKNOWN && databaseOf(known) === databaseOf(own) && known !== own;
}

function toWord({ database, log }: LogPair): bigint {
  const high = digest(`${database}`, DATABASE_BITS) << BigInt(LOG_BITS);
  return high | digest(`${log}`, LOG_BITS);
}

function databaseOf(word: bigint): bigint {
  return word >> BigInt(LOG_BITS);
}

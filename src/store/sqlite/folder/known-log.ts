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
  remember(pair: LogPair): void;
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
    conflicts(pair) {
      const known = Atomics.load(word, 0);
      const own = toWord(pair);
      return known !== UNKNOWN && databaseOf(known) === databaseOf(own) && known !== own;
    },
    remember(pair) {
      Atomics.store(word, 0, toWord(pair));
    },
    forget() {
      Atomics.store(word, 0, UNKNOWN);
    },
  };
}

function toWord({ database, log }: LogPair): bigint {
  const high = digest(`${database}`, DATABASE_BITS) << BigInt(LOG_BITS);
  return high | digest(`${log}`, LOG_BITS);
}

function databaseOf(word: bigint): bigint {
  return word >> BigInt(LOG_BITS);
}

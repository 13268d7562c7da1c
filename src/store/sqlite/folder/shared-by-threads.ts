// What a store has open, shared by its threads: a thread that connects later or again must find the same knowledge base,
// with the same log. Each fact is one word, because a thread can be terminated at any instruction: it would leave two
// words half-written, and hold a lock forever.
import { createHash } from "node:crypto";

export interface SharedByThreads {
  readonly buffer: SharedArrayBuffer;
  /** Whether any thread has opened the knowledge base. */
  hasId(): boolean;
  /** True for the first id that any thread notes, and for the same id again. */
  matchesId(id: string): boolean;
  /** True if another thread has the same database open with another log. */
  conflicts(files: LogFiles): boolean;
  /** False if it conflicts: of threads that open different logs at once, one succeeds. */
  claimLog(files: LogFiles): boolean;
  /** Call it once all connections are closed. */
  forgetLog(): void;
}

/** Device and inode of the database, its log and the log's index. */
export interface LogFiles {
  readonly database: string | undefined;
  readonly log: string | undefined;
  readonly index: string | undefined;
}

const NOTHING = 0n;
const [ID, LOG] = [0, 1];
// Logs get more bits: two logs with the same digest would go unnoticed, but two databases would only be reopened.
const DATABASE_BITS = 16;
const LOG_BITS = 48;

export function openSharedByThreads(buffer = new SharedArrayBuffer(16)): SharedByThreads {
  const words = new BigUint64Array(buffer);
  return {
    buffer,
    hasId: () => Atomics.load(words, ID) !== NOTHING,
    matchesId(id) {
      const own = digest(id, 64);
      const before = Atomics.compareExchange(words, ID, NOTHING, own);
      return before === NOTHING || before === own;
    },
    conflicts: (files) => isConflict(Atomics.load(words, LOG), toWord(files)),
    claimLog(files) {
      const own = toWord(files);
      for (let known = Atomics.load(words, LOG); !isConflict(known, own); ) {
        const found = Atomics.compareExchange(words, LOG, known, own);
        if (found === known) return true;
        known = found;
      }
      return false;
    },
    forgetLog() {
      Atomics.store(words, LOG, NOTHING);
    },
  };
}

function isConflict(known: bigint, own: bigint): boolean {
  const isSameDatabase = known >> BigInt(LOG_BITS) === own >> BigInt(LOG_BITS);
  return known !== NOTHING && isSameDatabase && known !== own;
}

function toWord({ database, log, index }: LogFiles): bigint {
  const high = digest(`${database}`, DATABASE_BITS) << BigInt(LOG_BITS);
  return high | digest(`${log} ${index}`, LOG_BITS);
}

/** The first bits of the text's hash; never 0, which means "nothing". */
function digest(text: string, bits: number): bigint {
  const hash = createHash("sha256").update(text).digest().readBigUInt64BE();
  return hash >> BigInt(64 - bits) || 1n;
}

// The id of the knowledge base that a store has open, shared by its threads: a thread that connects later or again
// must not find, or create, another one after the folder was deleted or swapped.
import { digest } from "./digest.ts";

const UNSET = 0n;
const BITS = 64;

export interface KnownId {
  readonly buffer: SharedArrayBuffer;
  isSet(): boolean;
  /** True for the first id that any thread sets, and for the same id again. */
  matches(id: string): boolean;
}

/**
 * Stored in one word, because a thread can be terminated at any instruction: with two, it could leave a half-written
 * id.
 */
export function openKnownId(buffer = new SharedArrayBuffer(BITS / 8)): KnownId {
  const word = new BigUint64Array(buffer);
  return {
    buffer,
    isSet: () => Atomics.load(word, 0) !== UNSET,
    matches(id) {
      const own = digest(id, BITS);
      const before = Atomics.compareExchange(word, 0, UNSET, own);
      return before === UNSET || before === own;
    },
  };
}

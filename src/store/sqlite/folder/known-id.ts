// The id of the knowledge base that a store has open, shared by its threads: a thread that connects later or again
// must not find, or create, another one after the folder was deleted or swapped.

const LENGTH = 36;
const EMPTY = 0;
const WRITING = 1;
const WRITTEN = 2;

export interface KnownId {
  readonly buffer: SharedArrayBuffer;
  get(): string | undefined;
  /** True for the first id that any thread sets, and for the same id again. */
  matches(id: string): boolean;
}

export function openKnownId(buffer = new SharedArrayBuffer(4 + LENGTH)): KnownId {
  const state = new Int32Array(buffer, 0, 1);
  const bytes = new Uint8Array(buffer, 4, LENGTH);
  const get = () => {
    while (Atomics.load(state, 0) === WRITING);
    if (Atomics.load(state, 0) === EMPTY) return undefined;
    return String.fromCharCode(...bytes);
  };
  return {
    buffer,
    get,
    matches(id) {
      if (Atomics.compareExchange(state, 0, EMPTY, WRITING) !== EMPTY) return get() === id;
      for (let at = 0; at < LENGTH; at += 1) bytes[at] = id.charCodeAt(at);
      Atomics.store(state, 0, WRITTEN);
      return true;
    },
  };
}

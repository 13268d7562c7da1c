/**
 * Keeps at most so many entries, and those that were used last longest: when the newer half is full, the older half goes
 * at once. Dropping the oldest entry of a `Map` one by one takes time that grows with its size.
 */
export class Cache<Key, Value extends NonNullable<unknown>> {
  readonly #half: number;
  #newer = new Map<Key, Value>();
  #older = new Map<Key, Value>();

  constructor(max: number) {
    this.#half = Math.ceil(max / 2);
  }

  get size(): number {
    return this.#newer.size + this.#older.size;
  }

  get(key: Key): Value | undefined {
    const value = this.#newer.get(key);
    if (value !== undefined) return value;
    const old = this.#older.get(key);
    if (old === undefined) return undefined;
    this.#older.delete(key);
    this.set(key, old);
    return old;
  }

  set(key: Key, value: Value): void {
    if (this.#newer.size >= this.#half) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, value);
  }
}

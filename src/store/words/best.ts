// The best few of many scored keys, as a min-heap. Among equal scores the lower key wins.
import type { Hit } from "../store.ts";

export class Best {
  readonly #limit: number;
  readonly #keys: Float64Array;
  readonly #scores: Float64Array;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#keys = new Float64Array(limit);
    this.#scores = new Float64Array(limit);
  }

  /** The score to exceed once the heap is full. */
  get threshold(): number {
    if (this.#count < this.#limit) return Number.NEGATIVE_INFINITY;
    return this.#limit === 0 ? Number.POSITIVE_INFINITY : (this.#scores[0] as number);
  }

  offer(key: number, score: number): void {
    if (this.#count < this.#limit) {
      this.#up(this.#count++, key, score);
    } else if (this.#limit > 0 && this.#isWorse(0, key, score)) {
      this.#down(key, score);
    }
  }

  /** Best first. Empties the heap. */
  take(): Hit[] {
    const hits: Hit[] = [];
    for (let at = 0; at < this.#count; at++) {
      hits.push({ key: this.#keys[at] as number, score: this.#scores[at] as number });
    }
    this.#count = 0;
    return hits.sort((a, b) => b.score - a.score || a.key - b.key);
  }

  /** Whether the hit at `place` is worse than the given one. */
  #isWorse(place: number, key: number, score: number): boolean {
    const other = this.#scores[place] as number;
    return other < score || (other === score && (this.#keys[place] as number) > key);
  }

  #up(from: number, key: number, score: number): void {
    let at = from;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (this.#isWorse(parent, key, score)) break;
      this.#move(parent, at);
      at = parent;
    }
    this.#keys[at] = key;
    this.#scores[at] = score;
  }

  #down(key: number, score: number): void {
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= this.#count) break;
      const right = child + 1;
      if (
        right < this.#count &&
        this.#isWorse(right, this.#keys[child] as number, this.#scores[child] as number)
      ) {
        child = right;
      }
      if (!this.#isWorse(child, key, score)) break;
      this.#move(child, at);
      at = child;
    }
    this.#keys[at] = key;
    this.#scores[at] = score;
  }

  #move(from: number, to: number): void {
    this.#keys[to] = this.#keys[from] as number;
    this.#scores[to] = this.#scores[from] as number;
  }
}

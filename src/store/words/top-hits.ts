// The best few of many scored keys, in order. Among equal scores the lower key wins.
import type { Hit } from "../store.ts";

export class TopHits {
  readonly #limit: number;
  readonly #keys: Float64Array;
  readonly #scores: Float64Array;
  #count = 0;

  constructor(limit: number) {
    this.#limit = limit;
    this.#keys = new Float64Array(limit);
    this.#scores = new Float64Array(limit);
  }

  /** The score to exceed once there are enough. */
  get threshold(): number {
    if (this.#count < this.#limit) return Number.NEGATIVE_INFINITY;
    return this.#scores[this.#limit - 1] ?? Number.POSITIVE_INFINITY;
  }

  /** Few are offered that are among the best so far, so making room for one is cheap. */
  offer(key: number, score: number): void {
    if (!(score >= this.threshold)) return;
    let from = 0;
    let to = this.#count;
    while (from < to) {
      const middle = (from + to) >> 1;
      if (this.#isWorse(middle, key, score)) to = middle;
      else from = middle + 1;
    }
    if (from === this.#limit) return;
    this.#count = Math.min(this.#count + 1, this.#limit);
    for (const [list, value] of [
      [this.#keys, key],
      [this.#scores, score],
    ] as const) {
      list.copyWithin(from + 1, from, this.#count - 1);
      list[from] = value;
    }
  }

  /** Best first. */
  take(): Hit[] {
    const count = this.#count;
    this.#count = 0;
    return Array.from(this.#keys.subarray(0, count), (key, at) => {
      return { key, score: this.#scores[at] as number };
    });
  }

  /** Whether the hit at `place` is worse than the given one. */
  #isWorse(place: number, key: number, score: number): boolean {
    const other = this.#scores[place] as number;
    return other < score || (other === score && (this.#keys[place] as number) > key);
  }
}

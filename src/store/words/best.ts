// The best few of many scored keys. Among equal scores the lower key wins.
import type { Hit } from "../store.ts";

/** Hits are collected and, from time to time, sorted and cut. */
export class Best {
  readonly #limit: number;
  #hits: Hit[] = [];
  /** Hits below it are not among the best. */
  threshold = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.#limit = limit;
    if (limit === 0) this.threshold = Number.POSITIVE_INFINITY;
  }

  offer(key: number, score: number): void {
    if (score < this.threshold) return;
    this.#hits.push({ key, score });
    if (this.#hits.length >= 2 * this.#limit) this.cut();
  }

  /** Raises the threshold as far as it can. */
  cut(): void {
    this.#hits.sort((a, b) => b.score - a.score || a.key - b.key);
    this.#hits.length = Math.min(this.#hits.length, this.#limit);
    const last = this.#hits[this.#limit - 1];
    if (last) this.threshold = last.score;
  }

  /** Best first. */
  take(): Hit[] {
    this.cut();
    return this.#hits;
  }
}

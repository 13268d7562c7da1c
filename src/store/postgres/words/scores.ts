// Sums scores by key in pages: as fast as one array, but without needing one as long as the largest key.
import type { Hit } from "../../store.ts";

const PAGE = 16_384;

export function openScores() {
  const pages = new Map<number, Float32Array<ArrayBuffer>>();
  let lastNumber = -1;
  let last = new Float32Array(0);
  return {
    add(key: number, score: number): void {
      const number = Math.floor(key / PAGE);
      if (number !== lastNumber) {
        lastNumber = number;
        last = pages.get(number) ?? new Float32Array(PAGE);
        pages.set(number, last);
      }
      const low = key - number * PAGE;
      last[low] = (last[low] as number) + score;
    },
    /** Best first; equal scores by key. */
    best(limit: number, allowed?: (key: number) => boolean): Hit[] {
      const heap: Hit[] = [];
      for (const [number, page] of pages) {
        offerPage(heap, page, { limit, first: number * PAGE, allowed });
      }
      return heap.sort((a, b) => (isWorse(a, b) ? 1 : -1));
    },
  };
}

interface Offered {
  readonly limit: number;
  /** The key of the page's first score. */
  readonly first: number;
  readonly allowed: ((key: number) => boolean) | undefined;
}

function offerPage(heap: Hit[], page: Float32Array, { limit, first, allowed }: Offered): void {
  let least = heap.length === limit ? (heap[0] as Hit).score : 0;
  for (let low = 0; low < PAGE; low++) {
    const score = page[low] as number;
    // Most scores are 0, and most others are soon below the threshold.
    if (score === 0 || score < least) continue;
    const key = first + low;
    if (allowed && !allowed(key)) continue;
    offer(heap, limit, { key, score });
    if (heap.length === limit) least = (heap[0] as Hit).score;
  }
}

function isWorse(a: Hit, b: Hit): boolean {
  return a.score === b.score ? a.key > b.key : a.score < b.score;
}

/** A min-heap of the best so far. */
function offer(heap: Hit[], limit: number, hit: Hit): void {
  if (heap.length < limit) {
    heap.push(hit);
    rise(heap, heap.length - 1);
  } else if (isWorse(heap[0] as Hit, hit)) {
    heap[0] = hit;
    sink(heap, 0);
  }
}

function rise(heap: Hit[], from: number): void {
  for (let at = from; at > 0; ) {
    const parent = (at - 1) >> 1;
    if (!isWorse(heap[at] as Hit, heap[parent] as Hit)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function sink(heap: Hit[], from: number): void {
  for (let at = from; ; ) {
    const left = at * 2 + 1;
    if (left >= heap.length) return;
    const right = left + 1;
    const worse =
      right < heap.length && isWorse(heap[right] as Hit, heap[left] as Hit) ? right : left;
    if (!isWorse(heap[worse] as Hit, heap[at] as Hit)) return;
    swap(heap, at, worse);
    at = worse;
  }
}

function swap(heap: Hit[], a: number, b: number): void {
  const kept = heap[a] as Hit;
  heap[a] = heap[b] as Hit;
  heap[b] = kept;
}

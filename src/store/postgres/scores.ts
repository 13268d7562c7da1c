// Sums of scores by key, in pages: as fast as one array, without one as long as the largest key.
import type { Hit } from "../store.ts";

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
    best(limit: number, allowed: (key: number) => boolean = () => true): Hit[] {
      const floor = leastOf(pages, limit, allowed);
      const hits: Hit[] = [];
      for (const [number, page] of pages) {
        for (let low = 0; low < PAGE; low++) {
          const score = page[low] as number;
          const key = number * PAGE + low;
          if (score > 0 && score >= floor && allowed(key)) hits.push({ key, score });
        }
      }
      hits.sort((a, b) => b.score - a.score || a.key - b.key);
      return hits.slice(0, limit);
    },
  };
}

/** The `limit`-th best score, by a heap of that size whose root is the least kept. */
function leastOf(
  pages: ReadonlyMap<number, Float32Array>,
  limit: number,
  allowed: (key: number) => boolean,
): number {
  const heap = new Float32Array(limit);
  for (const [number, page] of pages) {
    for (let low = 0; low < PAGE; low++) {
      const score = page[low] as number;
      if (score > (heap[0] as number) && allowed(number * PAGE + low)) sinkRoot(heap, score);
    }
  }
  return heap[0] ?? 0;
}

function sinkRoot(heap: Float32Array, score: number): void {
  let at = 0;
  for (;;) {
    const left = at * 2 + 1;
    if (left >= heap.length) break;
    const right = left + 1;
    const lesser =
      right < heap.length && (heap[right] as number) < (heap[left] as number) ? right : left;
    if ((heap[lesser] as number) >= score) break;
    heap[at] = heap[lesser] as number;
    at = lesser;
  }
  heap[at] = score;
}

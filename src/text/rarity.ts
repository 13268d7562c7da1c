/** How much a word says that `frequency` of `count` texts hold: the inverse document frequency of BM25, never negative. */
export function rarity(frequency: number, count: number): number {
  return Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
}

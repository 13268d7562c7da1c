/** How informative a word in `frequency` of `count` texts is: BM25's inverse document frequency, never negative. */
export function rarity(frequency: number, count: number): number {
  return Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
}

// All pieces as a tree of UTF-16 units, in flat arrays that come ready from the file: nodes are numbered level by level,
// so that a node's children are neighbours, sorted by unit.

export interface Trie {
  /** Children of a node: from `firstChild[node]` to before `firstChild[node + 1]`. */
  readonly firstChild: Int32Array;
  /** The unit that leads to each node. */
  readonly units: Uint16Array;
  /** The piece that ends at each node, or -1. */
  readonly pieceAt: Int32Array;
}

/** The child of `node` for `unit`, or -1. */
export function childOf({ firstChild, units }: Trie, node: number, unit: number): number {
  let low = firstChild[node] as number;
  let high = (firstChild[node + 1] as number) - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = units[middle] as number;
    if (found === unit) return middle;
    if (found < unit) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

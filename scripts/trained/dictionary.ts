// Tesseract's dictionaries: a graph in which each word is a path. Written with as few edges as its words need, in an
// order that compresses well; recognition finds the same words in it.
//
//   header   magic (2 bytes), number of letters that the language has (4), number of edges (4)
//   edge     8 bytes: letter | last of its node, backwards, end of a word | first edge of the next node, 0 for none
//
// A node is edges in a row. Recognition searches the first node by bisection, so that one is in the order of letters.

/** Letters by their numbers in the language's set. */
type Word = readonly number[];

interface Edge {
  readonly letter: number;
  readonly isEnd: boolean;
  /** A node, 0 for none. */
  readonly next: number;
}

interface Graph {
  /** Each after the nodes that it leads to; the last is where words start. The first is none. */
  readonly nodes: readonly (readonly Edge[])[];
}

const MAGIC = 42;
const HEADER = 10;
const LAST = 1;
const END = 4;

export function readWords(bytes: Buffer): readonly Word[] {
  const bits = letterBits(bytes.readInt32LE(2));
  const words: Word[] = [];
  const follow = (start: number, before: Word) => {
    for (let at = start; ; at += 1) {
      const edge = Number(bytes.readBigUInt64LE(HEADER + 8 * at));
      const flags = Math.floor(edge / 2 ** bits) % 8;
      const next = Math.floor(edge / 2 ** (bits + 3));
      const word = [...before, edge % 2 ** bits];
      if ((flags & END) !== 0) words.push(word);
      if (next !== 0) follow(next, word);
      if ((flags & LAST) !== 0) return;
    }
  };
  follow(0, []);
  return words;
}

/** `letters`: how many the language has. */
export function writeWords(words: readonly Word[], letters: number): Buffer {
  const { nodes } = smallestGraph(words);
  const order = packingOrder({ nodes });
  const starts = new Map<number, number>();
  let edges = 0;
  for (const node of order) {
    starts.set(node, edges);
    edges += nodes[node]?.length ?? 0;
  }
  const bytes = Buffer.alloc(HEADER + 8 * edges);
  bytes.writeInt16LE(MAGIC, 0);
  bytes.writeInt32LE(letters, 2);
  bytes.writeInt32LE(edges, 6);
  const bits = letterBits(letters);
  let at = HEADER;
  for (const node of order) {
    for (const [place, edge] of (nodes[node] ?? []).entries()) {
      const isLast = place + 1 === nodes[node]?.length;
      bytes.writeBigUInt64LE(BigInt(edge.letter + 2 ** bits * linkOf(edge, isLast, starts)), at);
      at += 8;
    }
  }
  return bytes;
}

function linkOf(edge: Edge, isLast: boolean, starts: ReadonlyMap<number, number>): number {
  const flags = (edge.isEnd ? END : 0) + (isLast ? LAST : 0);
  return flags + 8 * (edge.next === 0 ? 0 : (starts.get(edge.next) ?? 0));
}

function letterBits(letters: number): number {
  return Math.ceil(Math.log2(letters + 1));
}

interface Branch {
  isEnd: boolean;
  readonly branches: Map<number, Branch>;
}

/** Nodes from which the same endings follow are one. */
function smallestGraph(words: readonly Word[]): Graph {
  const root: Branch = { isEnd: false, branches: new Map() };
  for (const word of words) {
    let branch = root;
    for (const letter of word) {
      const next = branch.branches.get(letter) ?? { isEnd: false, branches: new Map() };
      branch.branches.set(letter, next);
      branch = next;
    }
    branch.isEnd = true;
  }
  const nodes: (readonly Edge[])[] = [[]];
  const known = new Map<string, number>();
  const toNode = ({ branches }: Branch): number => {
    if (branches.size === 0) return 0;
    const edges = [...branches]
      .sort(([a], [b]) => a - b)
      .map(([letter, branch]) => ({ letter, isEnd: branch.isEnd, next: toNode(branch) }));
    const key = edges.map(({ letter, isEnd, next }) => `${letter} ${isEnd} ${next}`).join();
    const node = known.get(key) ?? nodes.length;
    if (node === nodes.length)
      nodes.push(branches === root.branches ? edges : edges.sort((a, b) => a.next - b.next));
    known.set(key, node);
    return node;
  };
  toNode(root);
  return { nodes };
}

/** Nodes as far from the end of their words are together, and among them those that lead to the same place. */
function packingOrder({ nodes }: Graph): readonly number[] {
  const first = nodes.length - 1;
  const heights: number[] = [];
  const levels: number[][] = [];
  for (const [node, edges] of nodes.entries()) {
    const height = edges.reduce((most, { next }) => Math.max(most, 1 + (heights[next] ?? 0)), 0);
    heights.push(height);
    levels[height] ??= [];
    levels[height].push(node);
  }
  const order = [first];
  const places = new Map([[0, 0]]);
  for (const level of levels.slice(1)) {
    const keyed = level
      .filter((node) => node !== first)
      .map((node) => ({ node, key: keyOf(nodes[node] ?? [], places) }));
    keyed.sort((a, b) => compare(a.key, b.key));
    for (const { node } of keyed) places.set(node, order.push(node));
  }
  return order;
}

function keyOf(edges: readonly Edge[], places: ReadonlyMap<number, number>): readonly number[] {
  return edges.flatMap(({ next, letter, isEnd }) => [places.get(next) ?? 0, letter, isEnd ? 1 : 0]);
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, place) => value !== b[place]);
  return at < 0 || b[at] === undefined ? a.length - b.length : (a[at] as number) - b[at];
}

// A text's pieces with where each lies in the text, for readers that must point at words.
import { eachRun, fold, type Run } from "./runs.ts";
import type { Trie } from "./trie.ts";

export interface LocatedPieces {
  readonly pieces: readonly number[];
  /** For each piece, where it starts and ends in the text as given. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

/** A character with its marks, which folding may join. */
const CLUSTER = /[\s\S][\p{M}\uff9e\uff9f]*/gu;

export function openLocate(trie: Trie, count: number, cut: (run: Run) => readonly number[]) {
  let lengths: Uint8Array | undefined;
  return (text: string): LocatedPieces => {
    lengths ??= lengthsOf(trie, count);
    const own = lengths;
    const { folded, places } = foldWithPlaces(text);
    const found = { pieces: [] as number[], starts: [] as number[], ends: [] as number[] };
    const add = (piece: number, start: number, end: number) => {
      found.pieces.push(piece);
      found.starts.push(places[start] as number);
      found.ends.push(places[end] as number);
    };
    eachRun(folded, (run) => {
      const pieces = cut(run);
      // A word is cut with a space before it.
      const lead = run.isWord ? 1 : 0;
      const total = pieces.reduce((sum, piece) => sum + (own[piece] as number), -lead);
      // Characters in no piece are left out of the cut: then each piece stands for the whole run.
      const isWhole = total === run.end - run.start;
      let at = run.start - lead;
      for (const piece of pieces) {
        const next = at + (own[piece] as number);
        add(piece, isWhole ? Math.max(at, run.start) : run.start, isWhole ? next : run.end);
        at = next;
      }
    });
    return found;
  };
}

/** Folded cluster by cluster, so that every folded character has a place in the text. */
function foldWithPlaces(text: string): { folded: string; places: Int32Array } {
  const parts: string[] = [];
  const starts: number[] = [];
  let last = text.length;
  for (const { 0: cluster, index } of text.matchAll(CLUSTER)) {
    const part = fold(cluster);
    parts.push(part);
    for (let at = 0; at < part.length; at++) starts.push(index);
    last = index + cluster.length;
  }
  starts.push(last);
  return { folded: parts.join(""), places: Int32Array.from(starts) };
}

/** How many characters each piece has: the depth of its node. */
function lengthsOf({ firstChild, pieceAt }: Trie, count: number): Uint8Array {
  const depths = new Uint8Array(pieceAt.length);
  const lengths = new Uint8Array(count);
  for (let node = 0; node < pieceAt.length; node++) {
    const depth = depths[node] as number;
    const piece = pieceAt[node] as number;
    if (piece >= 0) lengths[piece] = depth;
    const end = firstChild[node + 1] as number;
    for (let child = firstChild[node] as number; child < end; child++) depths[child] = depth + 1;
  }
  return lengths;
}

// The likeliest way to cut a run into pieces (Viterbi), as sentencepiece finds it: scores in single precision, the first of equals.
import type { Run } from "./runs.ts";
import { childOf, type Trie } from "./trie.ts";

export interface Unigram {
  /** The pieces of a run; characters that are in no piece are left out. */
  cut(run: Run): readonly number[];
}

const SPACE = 32;
const UNKNOWN = -1;
// Sentencepiece scores an unknown character this much below the worst piece.
const UNKNOWN_PENALTY = 10;

/**
 * The trie, the scores and the table for cutting a run. It is reused, because a new one per run would cost more than
 * the cut.
 */
interface Lattice {
  readonly trie: Trie;
  readonly scores: Float32Array;
  readonly unknownScore: number;
  readonly units: Uint16Array;
  /** For the best path to each position: its score, where its last piece begins, and which piece that is. */
  readonly best: Float32Array;
  readonly from: Int32Array;
  readonly piece: Int32Array;
}

export function openUnigram(trie: Trie, scores: Float32Array, longestRun: number): Unigram {
  const lattice: Lattice = {
    trie,
    scores,
    unknownScore: Math.fround(
      scores.reduce((least, score) => Math.min(least, score), 0) - UNKNOWN_PENALTY,
    ),
    units: new Uint16Array(longestRun + 1),
    best: new Float32Array(longestRun + 2),
    from: new Int32Array(longestRun + 2),
    piece: new Int32Array(longestRun + 2),
  };
  return {
    cut(run) {
      const length = load(lattice, run);
      fill(lattice, length);
      return trace(lattice, length);
    },
  };
}

function load({ units }: Lattice, { text, start, end, isWord }: Run): number {
  let length = 0;
  if (isWord) units[length++] = SPACE;
  for (let at = start; at < end; at++) units[length++] = text.charCodeAt(at);
  return length;
}

function fill(lattice: Lattice, length: number): void {
  const { units, from, best, unknownScore } = lattice;
  from.fill(-1, 0, length + 1);
  best[0] = 0;
  for (let at = 0; at < length; ) {
    const isPair = at + 1 < length && ((units[at] as number) & 0xfc00) === 0xd800;
    const width = isPair ? 2 : 1;
    if (!offerFrom(lattice, at, length, width)) {
      offer(lattice, at, at + width, unknownScore, UNKNOWN);
    }
    at += width;
  }
}

/** Offers all pieces that begin at `at`. True if the single character there is one of them. */
function offerFrom(lattice: Lattice, at: number, length: number, width: number): boolean {
  const { trie, scores, units } = lattice;
  let single = false;
  let node = 0;
  for (let end = at; end < length; ) {
    node = childOf(trie, node, units[end] as number);
    if (node < 0) break;
    end++;
    const id = trie.pieceAt[node] as number;
    if (id < 0) continue;
    offer(lattice, at, end, scores[id] as number, id);
    single ||= end - at === width;
  }
  return single;
}

// Plain numbers as parameters, because creating an object for each of the many offers would take most of the time.
function offer(
  { best, from, piece }: Lattice,
  start: number,
  end: number,
  score: number,
  id: number,
): void {
  // Compared before rounding, as in sentencepiece: near ties depend on it.
  const sum = (best[start] as number) + score;
  if ((from[end] as number) >= 0 && sum <= (best[end] as number)) return;
  best[end] = sum;
  from[end] = start;
  piece[end] = id;
}

function trace({ from, piece }: Lattice, length: number): readonly number[] {
  const found: number[] = [];
  for (let at = length; at > 0; at = from[at] as number) {
    if (piece[at] !== UNKNOWN) found.push(piece[at] as number);
  }
  return found.reverse();
}

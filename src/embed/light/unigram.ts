// The likeliest way to cut a run into pieces (Viterbi), as sentencepiece finds it: scores in single precision, the first of equals.
import type { Run } from "./runs.ts";
import { childOf, type Trie } from "./trie.ts";

export interface Unigram {
  /** The pieces of a run; characters that no piece has are left out. */
  cut(run: Run): readonly number[];
}

const SPACE = 32;
const UNKNOWN = -1;
// What sentencepiece takes off the worst piece's score for a character that it does not know.
const UNKNOWN_PENALTY = 10;

export function openUnigram(trie: Trie, scores: Float32Array, longestRun: number): Unigram {
  const units = new Uint16Array(longestRun + 1);
  const best = new Float32Array(longestRun + 2);
  const from = new Int32Array(longestRun + 2);
  const piece = new Int32Array(longestRun + 2);
  const unknownScore = Math.fround(
    scores.reduce((least, score) => Math.min(least, score), 0) - UNKNOWN_PENALTY,
  );

  const offer = (start: number, end: number, score: number, id: number) => {
    // Compared before it is rounded, as sentencepiece does: near ties depend on it.
    const sum = (best[start] as number) + score;
    if ((from[end] as number) >= 0 && sum <= (best[end] as number)) return;
    best[end] = sum;
    from[end] = start;
    piece[end] = id;
  };
  /** All pieces that begin at `at`; whether the one character there is among them. */
  const offerFrom = (at: number, length: number, width: number): boolean => {
    let single = false;
    let node = 0;
    for (let end = at; end < length; ) {
      node = childOf(trie, node, units[end] as number);
      if (node < 0) break;
      end++;
      const id = trie.pieceAt[node] as number;
      if (id < 0) continue;
      offer(at, end, scores[id] as number, id);
      single ||= end - at === width;
    }
    return single;
  };

  return {
    cut({ text, start, end, isWord }) {
      const found: number[] = [];
      let length = 0;
      if (isWord) units[length++] = SPACE;
      for (let at = start; at < end; at++) units[length++] = text.charCodeAt(at);
      from.fill(-1, 0, length + 1);
      best[0] = 0;
      for (let at = 0; at < length; ) {
        const isPair = at + 1 < length && ((units[at] as number) & 0xfc00) === 0xd800;
        const width = isPair ? 2 : 1;
        if (!offerFrom(at, length, width)) offer(at, at + width, unknownScore, UNKNOWN);
        at += width;
      }
      for (let at = length; at > 0; at = from[at] as number) {
        if (piece[at] !== UNKNOWN) found.push(piece[at] as number);
      }
      return found.reverse();
    },
  };
}

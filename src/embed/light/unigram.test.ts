import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tinyTrie } from "../../../test/support/tiny-light.ts";
import { childOf } from "./trie.ts";
import { openUnigram } from "./unigram.ts";

const UNKNOWN_PENALTY = 10;
type Scores = ReadonlyMap<string, number>;

/** The best sum over all ways to cut, found by brute force. */
function bestByTrying(text: string, scores: Scores): number {
  const unknown = Math.min(...scores.values()) - UNKNOWN_PENALTY;
  const best = [0];
  for (let end = 1; end <= text.length; end++) {
    const ways = Array.from({ length: end }, (_, start) => {
      const score = scores.get(text.slice(start, end)) ?? (end - start === 1 ? unknown : -Infinity);
      return (best[start] ?? 0) + score;
    });
    best.push(Math.max(...ways));
  }
  return best.at(-1) ?? 0;
}

function open(scores: Scores) {
  const pieces = [...scores.keys()].sort();
  const trie = tinyTrie(pieces);
  const values = Float32Array.from(pieces, (piece) => scores.get(piece) ?? 0);
  return { pieces, trie, unigram: openUnigram(trie, values, 1_000) };
}

const letters = fc.constantFrom("a", "b", "c", "あ", "漢");
const word = (maxLength: number) => fc.string({ unit: letters, minLength: 1, maxLength });
const vocabulary = fc
  .uniqueArray(fc.tuple(word(4), fc.integer({ min: -64, max: -1 })), {
    minLength: 1,
    maxLength: 30,
    selector: ([piece]) => piece,
  })
  .map((entries) => new Map(entries.map(([piece, score]) => [piece, score / 4])));

describe("cutting into pieces", () => {
  test("no other way to cut a run scores higher", () => {
    fc.assert(
      fc.property(vocabulary, word(12), (scores, text) => {
        const { pieces, unigram } = open(scores);
        const cut = unigram.cut({ text, start: 0, end: text.length, isWord: false });
        const names = cut.map((id) => pieces[id] ?? "");
        const left = text.length - names.join("").length;
        const unknown = left * (Math.min(...scores.values()) - UNKNOWN_PENALTY);
        const sum = names.reduce((total, name) => total + (scores.get(name) ?? 0), unknown);
        expect(sum).toBeCloseTo(bestByTrying(text, scores), 4);
      }),
    );
  });

  test("a word is cut with a space before it", () => {
    const { pieces, unigram } = open(new Map([["a", -1], [" a", -1.5], ["b", -1]])); // biome-ignore format: a table
    const names = (isWord: boolean) =>
      unigram.cut({ text: "xabx", start: 1, end: 3, isWord }).map((id) => pieces[id]);
    expect(names(true)).toEqual([" a", "b"]);
    expect(names(false)).toEqual(["a", "b"]);
  });

  test("a character beyond the basic plane is one character", () => {
    const { unigram } = open(new Map([["𠮷", -1], ["a", -2]])); // biome-ignore format: a table
    expect(unigram.cut({ text: "𠮷𠀋a", start: 0, end: 5, isWord: false })).toEqual([1, 0]);
  });

  test("the tree finds every piece and nothing else", () => {
    fc.assert(
      fc.property(vocabulary, fc.array(word(5)), (scores, others) => {
        const { pieces, trie } = open(scores);
        for (const text of [...pieces, ...others]) {
          let node = 0;
          for (let at = 0; at < text.length && node >= 0; at++) {
            node = childOf(trie, node, text.charCodeAt(at));
          }
          expect(node < 0 ? -1 : trie.pieceAt[node]).toBe(pieces.indexOf(text));
        }
      }),
    );
  });
});

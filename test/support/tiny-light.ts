// A table as small as a test needs it, in the form that is shipped.
import type { Trie } from "../../src/embed/light/trie.ts";

export interface TinyPiece {
  readonly piece: string;
  readonly score: number;
  readonly row: readonly number[];
  readonly english?: number;
}

interface Node {
  piece: number;
  readonly below: Map<number, Node>;
}

const newNode = (): Node => ({ piece: -1, below: new Map() });

/** Pieces are numbered in the order given. */
export function tinyTrie(pieces: readonly string[]): Trie {
  const queue = [newNode()];
  for (const [number, piece] of pieces.entries()) {
    let node = queue[0] as Node;
    for (let at = 0; at < piece.length; at++) {
      const unit = piece.charCodeAt(at);
      const next = node.below.get(unit) ?? newNode();
      node.below.set(unit, next);
      node = next;
    }
    node.piece = number;
  }
  const firstChild: number[] = [];
  const units = [0];
  for (const node of queue) {
    firstChild.push(queue.length);
    for (const [unit, next] of [...node.below].sort(([one], [two]) => one - two)) {
      units.push(unit);
      queue.push(next);
    }
  }
  return {
    firstChild: Int32Array.from([...firstChild, queue.length]),
    units: Uint16Array.from(units),
    pieceAt: Int32Array.from(queue, ({ piece }) => piece),
  };
}

/** The table's bytes; all scales are 1. */
export function tinyLight(pieces: readonly TinyPiece[]): Buffer {
  const { firstChild, pieceAt, units } = tinyTrie(pieces.map(({ piece }) => piece));
  const sizes = [pieces.length, pieces[0]?.row.length ?? 0, pieceAt.length, 0];
  const parts = [
    Uint32Array.from(sizes),
    Float32Array.from(pieces, ({ score }) => score),
    new Float32Array(pieces.length).fill(1),
    firstChild,
    pieceAt,
    units,
    new Uint16Array(units.length % 2),
    Int8Array.from(pieces, ({ english = 0 }) => english),
    Int8Array.from(pieces.flatMap(({ row }) => row)),
  ];
  return Buffer.concat([
    Buffer.from("KSLIGHT2"),
    ...parts.map(({ buffer, byteOffset, byteLength }) =>
      Buffer.from(buffer, byteOffset, byteLength),
    ),
  ]);
}

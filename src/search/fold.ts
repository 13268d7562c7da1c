// Near-duplicates: a sketch of each text, by which the same passage in a second place is left out.

export type Sketch = readonly number[];

const SHINGLE = 3;
const SKETCH = 32;
const SAME = 0.9;

/** The smallest hashes of all runs of three words: alike texts share most of them, however long they are. */
export function toSketch(text: string): Sketch {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  // Without spaces between words, runs of characters do the same.
  const units = (words.length >= SHINGLE ? words : [...words.join("")]).map(hash);
  const runs = new Set<number>();
  for (let at = 0; at === 0 || at + SHINGLE <= units.length; at++) {
    let run = 0;
    for (const unit of units.slice(at, at + SHINGLE)) run = Math.imul(run ^ unit, 0x01000193);
    runs.add((run ^ (run >>> 15)) >>> 0);
  }
  return [...Uint32Array.from(runs).sort().subarray(0, SKETCH)];
}

/** Estimates the share of runs that two texts have in common. */
export function isNearDuplicate(a: Sketch, b: Sketch): boolean {
  // Both ascend: they are walked side by side, up to the size of a sketch.
  let [inA, inB, both, all] = [0, 0, 0, 0];
  for (; all < SKETCH && (inA < a.length || inB < b.length); all++) {
    const [left = Infinity, right = Infinity] = [a[inA], b[inB]];
    if (left === right) both++;
    if (left <= right) inA++;
    if (right <= left) inB++;
  }
  return both >= SAME * all;
}

/** FNV-1a. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  }
  return value >>> 0;
}
